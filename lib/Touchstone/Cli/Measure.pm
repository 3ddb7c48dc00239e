# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Measure - a run, or with --dry-run what it would do.
package Touchstone::Cli::Measure;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Base::Symbols qw($TIMES);
use Touchstone::Base::Text qw(copies);
use Touchstone::Base::Time qw(duration);
use Touchstone::Base::Directories;
use Touchstone::Base::Trouble;
use Touchstone::Cli::Output;
use Touchstone::Run::Launcher;
use Touchstone::Run::Plan;
use Touchstone::Run::Request;
use Touchstone::Run::Session;
use Touchstone::Run::Survey;
use Touchstone::Run::Preamble;
use Touchstone::Suite;
use Touchstone::Terminal::Progress;

# `at` is what Cli::App::main was given.
sub run {
    my ($options, %at) = @_;
    return _again($options, %at) if defined $options->{again} && !$options->{'dry-run'};
    my $set = $options->{command} eq 'resume' && _set_of($options->{operands}[0], $at{base});
    return _again($options, %at, set => $set) if $set;
    return measure($options, %at)             if !$options->{'dry-run'};
    return Touchstone::Cli::Output::say(_dry_run(Touchstone::Run::Request::make($options, $at{base})));
}

# A run, from what is wanted to its exit status. `want` may also have campaign_run, { campaign, taken }:
# what a record of it says of its campaign, and its journal, which is held already. `at` may also have
# progress, what shows how far it is, begun of Session, named, a sub that is called with the name of its
# record when it has ended, and finish, a sub in the place of Cli::FinishRun::report.
sub measure {
    my ($options, %at) = @_;
    my $request = Touchstone::Run::Request::make($options, $at{base});
    my $status  = eval {
        Touchstone::Base::Trouble::with_stop_signals(sub { _measured($request, %at, stopped => @_) });
    };
    die _trouble($options, $@) if !defined $status;
    return $status;
}

# The set of runs that a run is one of, or nothing: what cannot be read is told by what resumes it.
sub _set_of {
    my ($run, $base) = @_;
    require Touchstone::Compare::History;
    return eval { Touchstone::Compare::History::set_of(Touchstone::Base::Directories::find($base), $run) };
}

# The runs of a set, each from its request to its exit status.
sub _again {
    my ($options, %at) = @_;
    require Touchstone::Cli::RepeatRuns;
    my $work = sub {
        my ($stopped) = @_;
        my $again = Touchstone::Cli::RepeatRuns->new(
            (map { $_ => $at{$_} } qw(words base wall clock pause)),
            want     => $options,
            progress => _progress($options),
            stopped  => $stopped,
            measure  => sub {
                my ($wanted, $named) = @_;
                my $status = eval {
                    my $request = Touchstone::Run::Request::make($wanted, $at{base});
                    _measured($request, %at, stopped => $stopped, named => $named);
                };
                die _trouble($wanted, $@) if !defined $status;
                return $status;
            }
        );
        return $at{set} ? $again->go_on($at{set}) : $again->begin;
    };
    my $status = eval { Touchstone::Base::Trouble::with_stop_signals($work) };
    die ref $@ ? $@ : _trouble($options, $@) if !defined $status;
    return $status;
}

sub _progress {
    my ($options) = @_;
    return Touchstone::Terminal::Progress->new(
        out => \*STDERR,
        map { $_ => $options->{$_} } qw(quiet verbose)
    );
}

# A run from its request to its exit status.
sub _measured {
    my ($request, %at) = @_;
    my %with = (
        progress => $at{progress} // _progress($request->{want}),
        launch   => $at{launch}   // \&Touchstone::Run::Launcher::run_pass,
        map { $_ => $at{$_} } qw(clock stopped)
    );
    my $survey  = Touchstone::Run::Survey::take($request, map { $_ => $with{$_} } qw(progress stopped));
    my $plan    = Touchstone::Run::Session::plan($request, $survey);
    my %pipe    = (request => $request, survey => $survey, plan => $plan);
    my $outcome = Touchstone::Run::Session::run(%pipe, %with, on_begin => $at{on_begin});
    my $status  = eval {
        require Touchstone::Cli::FinishRun;
        ($at{finish} // \&Touchstone::Cli::FinishRun::report)->($outcome, $with{progress});
    };
    my $trouble = $@;
    $at{named}->($outcome->{records}[0]->data->{name}) if $at{named};
    Touchstone::Run::Session::tidy($survey, $with{progress});
    die $trouble if !defined $status;
    return $status;
}

# Wrappers of UnixBench look for the word aborting when a run fails: a test then has no row. A test that
# lacks a part has one. At the end of a duet, or of a run with --fail-on, status 1 means "worse".
sub _trouble {
    my ($options, $trouble) = @_;
    my $is_gate = $options->{command} eq 'duet' || defined $options->{'fail-on'};
    my %trouble = %{
        $is_gate
        ? Touchstone::Base::Trouble::of_judge($trouble)
        : Touchstone::Base::Trouble::as_trouble($trouble)
    };
    my $goes_on = $trouble{measured} || $trouble{refused} && $options->{campaign_run};
    $trouble{message} =~ s/$/; aborting/m if !$goes_on;
    return \%trouble;
}

sub _dry_run {
    my ($request) = @_;
    my @builds    = map { $_->{set} || () } @{ $request->{builds} };
    my $plan      = Touchstone::Run::Plan::make(%{ $request->{schedule} }, tests => $request->{tests});
    my @lines     = (
        _dry_set($request, $plan),
        Touchstone::Run::Preamble::announcement($plan),
        Touchstone::Run::Preamble::no_intervals($plan),
        "usable CPUs: $request->{cpus}{usable_count}, seed: $plan->{seed}"
    );
    push @lines, (@builds > 1 ? 'each pass with each of the builds ' : 'with the build ') . join ', ',
        map { "'$_->{name}'" . ($_->{asked} =~ /\S/ ? " ($_->{asked})" : '') } @builds
        if @builds;
    push @lines, '';

    # Copy counts that are measured alike share their rows.
    my @blocks = @{ $plan->{blocks} };
    while (my $block = shift @blocks) {
        my @rows = _planned($block);
        push @lines, copies($block->{copies}) . ': ' . join ', and ',
            Touchstone::Run::Preamble::planned($block);
        push @lines, @rows if !@blocks || "@rows" ne join ' ', _planned($blocks[0]);
    }
    return Touchstone::Cli::Output::wrapped(join '', map { "$_\n" } @lines);
}

# What --again does with the plan.
sub _dry_set {
    my ($request, $plan)  = @_;
    my ($runs,    $every) = @{ $request->{want} }{qw(again every)};
    return if !defined $runs;
    my $whole = ($runs - 1) * max($every // 0, $plan->{seconds}) + $plan->{seconds};
    return sprintf '%d runs, %s, about %s in all; each of them:', $runs,
        defined $every
        ? duration($every) . ' from beginning to beginning'
        : 'one after the other', duration($whole);
}

# How often each test of a copy count is measured, and for how long each time.
sub _planned {
    my ($block) = @_;
    my (%passes, %window);
    for my $pass (grep { $_->{round} } @{ $block->{passes} }) {
        my $name = $pass->{test}{name};
        $passes{$name}++;
        $window{$name} =
            Touchstone::Run::Plan::is_open($pass->{test}) ? 'as long as it takes' : sprintf '%.3g s',
            max($pass->{round_seconds} // $pass->{window}, $pass->{test}{least_seconds} // 0);
    }
    return
        map { sprintf "  %-18s %3d $TIMES %s", $_, $passes{$_}, $window{$_} }
        Touchstone::Suite::arranged(sub { $_[0] }, keys %passes);
}

1;
