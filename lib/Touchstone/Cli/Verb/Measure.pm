# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Verb::Measure - a run, or with --dry-run what it would do.
package Touchstone::Cli::Verb::Measure;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Base::Places;
use Touchstone::Base::Text;
use Touchstone::Cli::Answer;
use Touchstone::Cli::Outcome;
use Touchstone::Run::Plan;
use Touchstone::Run::Resume;
use Touchstone::Run::Session;
use Touchstone::Run::Words;
use Touchstone::Suite;
use Touchstone::Terminal::Progress;

my %USAGE = (exit => 2);

my $CANNOT_TELL = 125;

# Wrappers of UnixBench look for the word aborting when a run fails: a test then has no row. One that lacks a
# part has.
sub run {
    my ($want,  %at)    = @_;
    my ($suite, @tests) = eval { _tests($want) } or die { %USAGE, message => $@ };
    my $places = Touchstone::Base::Places::find($at{base});
    my $record;
    ($record, $want) = Touchstone::Run::Resume::reopen($want, $places) if defined $want->{resume};
    my $setup = Touchstone::Run::Session::prepare($want, $suite, $places,
        $record ? $suite->expand(@{ $want->{tests} }) : @tests);
    $setup->{record} = $record;
    return Touchstone::Cli::Answer::say(
        _dry_run($setup->{plan}, $setup->{cpus}, map { $_->{set} || () } @{ $setup->{builds} }))
        if $want->{'dry-run'};
    $setup->{progress} =
        Touchstone::Terminal::Progress->new(out => \*STDERR, map { $_ => $want->{$_} } qw(quiet verbose));
    $setup->{report} = \&Touchstone::Cli::Outcome::report;
    my $status = eval { Touchstone::Run::Session::run($setup) };
    return $status if defined $status;
    my $trouble = ref $@ eq 'HASH' ? $@ : { exit => 1, message => $@ };

    # As the end of a duet or of --fail-on 1 means "worse".
    my $is_gate = $want->{duet} || defined $want->{'fail-on'};
    $trouble->{exit} = $CANNOT_TELL if $is_gate && $trouble->{exit} == 1;
    $trouble->{message} =~ s/$/; aborting/m if !$trouble->{measured};
    die $trouble;
}

# The list of tests, and those that are named; of a duet the first two words are its builds.
sub _tests {
    my ($want) = @_;
    my $suite = Touchstone::Suite::load();
    return $suite                                        if defined $want->{resume};
    $want->{duet} = [ splice @{ $want->{tests} }, 0, 2 ] if $want->{duet};
    return ($suite, $suite->expand(@{ $want->{tests} } ? @{ $want->{tests} } : 'index'));
}

sub _dry_run {
    my ($plan, $cpus, @builds) = @_;
    my @lines = (
        Touchstone::Run::Words::announcement($plan),
        "usable CPUs: $cpus->{usable_count}, seed: $plan->{seed}"
    );
    push @lines, (@builds > 1 ? 'each pass with each of the builds ' : 'with the build ') . join ', ',
        map { "'$_->{name}'" . ($_->{asked} =~ /\S/ ? " ($_->{asked})" : '') } @builds
        if @builds;
    push @lines, '';
    for my $block (@{ $plan->{blocks} }) {
        my (%passes, %window, @names);
        for my $pass (grep { $_->{round} } @{ $block->{passes} }) {
            my $name = $pass->{test}{name};
            push @names, $name if !$passes{$name}++;
            $window{$name} =
                Touchstone::Run::Plan::is_open($pass->{test}) ? 'as long as it takes' : sprintf '%.3g s',
                max($pass->{window}, $pass->{test}{least_seconds} // 0);
        }
        push @lines, Touchstone::Base::Text::copies($block->{copies}) . ': ' . join ', and ',
            Touchstone::Run::Words::planned($block);
        push @lines, map { sprintf '  %-18s %3d x %s', $_, $passes{$_}, $window{$_} } sort @names;
    }
    return Touchstone::Cli::Answer::wrapped(join '', map { "$_\n" } @lines);
}

1;
