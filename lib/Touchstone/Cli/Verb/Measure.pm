# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Verb::Measure - a run, or with --dry-run what it would do.
package Touchstone::Cli::Verb::Measure;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Base::Signs qw($TIMES);
use Touchstone::Base::Text qw(copies);
use Touchstone::Cli::Answer;
use Touchstone::Cli::Outcome;
use Touchstone::Run::Intervals;
use Touchstone::Run::Launcher;
use Touchstone::Run::Plan;
use Touchstone::Run::Request;
use Touchstone::Run::Session;
use Touchstone::Run::Signals;
use Touchstone::Run::Survey;
use Touchstone::Run::Words;
use Touchstone::Suite;
use Touchstone::Terminal::Progress;

my $CANNOT_TELL = 125;

# `at` is what Cli::App::main was given.
sub run {
    my ($want, %at) = @_;
    my $request = Touchstone::Run::Request::make($want, $at{base});
    return Touchstone::Cli::Answer::say(_dry_run($request)) if $want->{'dry-run'};
    my $launch   = $at{launch} // \&Touchstone::Run::Launcher::run_pass;
    my $progress = Touchstone::Terminal::Progress->new(
        out => \*STDERR,
        map { $_ => $want->{$_} } qw(quiet verbose)
    );
    my $work = sub {
        _measured($request, progress => $progress, launch => $launch, clock => $at{clock}, stopped => @_);
    };
    my $status = eval { Touchstone::Run::Signals::heeding($work) };
    die _trouble($want, $@) if !defined $status;
    return $status;
}

# A run from its request to its exit status.
sub _measured {
    my ($request, %with) = @_;
    my $survey  = Touchstone::Run::Survey::take($request, map { $_ => $with{$_} } qw(progress stopped));
    my $plan    = Touchstone::Run::Session::plan($request, $survey);
    my $outcome = Touchstone::Run::Session::run(request => $request, survey => $survey, plan => $plan, %with);
    return Touchstone::Cli::Outcome::report($outcome, $with{progress});
}

# Wrappers of UnixBench look for the word aborting when a run fails: a test then has no row. A test that
# lacks a part has one. At the end of a duet, or of a run with --fail-on, status 1 means "worse".
sub _trouble {
    my ($want, $trouble) = @_;
    my %trouble = ref $trouble eq 'HASH' ? %$trouble : (exit => 1, message => $trouble);
    my $is_gate = $want->{duet} || defined $want->{'fail-on'};
    $trouble{exit} = $CANNOT_TELL if $is_gate && $trouble{exit} == 1;
    $trouble{message} =~ s/$/; aborting/m if !$trouble{measured};
    return \%trouble;
}

sub _dry_run {
    my ($request) = @_;
    my @builds    = map { $_->{set} || () } @{ $request->{builds} };
    my $plan      = Touchstone::Run::Session::plan_of($request->{schedule}, @{ $request->{tests} });
    my @lines     = (
        Touchstone::Run::Words::announcement($plan),
        Touchstone::Run::Intervals::sentence($plan),
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
        push @lines, copies($block->{copies}) . ': ' . join ', and ', Touchstone::Run::Words::planned($block);
        push @lines, @rows if !@blocks || "@rows" ne join ' ',        _planned($blocks[0]);
    }
    return Touchstone::Cli::Answer::wrapped(join '', map { "$_\n" } @lines);
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
            max($pass->{sitting} // $pass->{window}, $pass->{test}{least_seconds} // 0);
    }
    return
        map { sprintf "  %-18s %3d $TIMES %s", $_, $passes{$_}, $window{$_} }
        Touchstone::Suite::arranged(sub { $_[0] }, keys %passes);
}

1;
