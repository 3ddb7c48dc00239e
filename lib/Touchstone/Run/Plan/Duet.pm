# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Plan::Duet - the plan of a run that compares builds by turns: a Run::Plan, made of sittings instead of
# passes. A test has one sitting of all builds in each round, until Run::DuetRounds finds it decided; then the
# others go on. Beside what a plan has:
#
#   {
#     sittings => 100,      the most that a test can have
#     margin   => 0.02,     a smaller difference is none
#     builds   => 2
#   }
#
# A pass of it has `sitting`, the seconds of all turns, beside its window, which a program has that cannot
# take turns.
package Touchstone::Run::Plan::Duet;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

use Touchstone::Run::Plan;
use Touchstone::Stats;

# A difference of builds that is smaller is no difference, unless --fail-on says otherwise.
our $MARGIN = 0.02;

# A sitting has so many seconds, and costs so many more for processes, their set-up and their ends. The most
# sittings that a test gets are those that fit into its budget, and no more than $MOST.
my ($SHORTEST, $LONGEST) = (0.45, 1);
my $BESIDE = 0.15;
my $MOST   = 100;

# A sitting has at least a warm-up and a block: so many turns of each build, as long as Run::Duet makes them.
my ($TURNS, $TURN) = (3, 0.05);

# The budget of a copy count: for two builds up to that of a run, with so many seconds for a test; each
# further one adds half of it. The quick schedule has less.
my ($EACH, $QUICK) = (60, 30);

# `want` is what Run::Plan::make takes, and `margin`.
sub make {
    my (%want) = @_;
    my %alone = (%want, schedule => 'quick');
    delete @alone{qw(sides cpus budget limit precision)};
    my $plan   = Touchstone::Run::Plan::make(%alone);
    my $budget = _budget(%want);
    my @blocks = map { _block($_, $budget, %want) } @{ $plan->{blocks} };
    my $most   = max(0, map { $_->{most} } @blocks);
    return {
        %$plan,
        schedule => $want{schedule},
        blocks   => [
            map {
                { %$_, most => $most }
            } @blocks
        ],
        seconds  => sum(0, map { $_->{seconds} } @blocks),
        most     => sum(0, map { $_->{seconds} + $_->{beyond} } @blocks),
        open     => sum(0, map { $_->{open} } @blocks),
        rounds   => max(0, map { $_->{round} } map { @{ $_->{passes} } } @blocks),
        limit    => $budget,
        compares => 1,
        builds   => $want{sides},
        margin   => $want{margin} // $MARGIN,
        sittings => $most,
    };
}

sub _budget {
    my (%want) = @_;
    return $want{budget} / @{ $want{copies} } if defined $want{budget};
    my %usual = %want;
    delete @usual{qw(sides cpus precision)};
    my $run = $want{schedule} eq 'quick' ? $QUICK : Touchstone::Run::Plan::budget(%usual, each => $EACH);
    return $run * $want{sides} / 2;
}

sub _block {
    my ($block, $budget, %want) = @_;
    my $copies = $block->{copies};
    my @first  = grep { $_->{round} == 1 } @{ $block->{passes} };
    my @short  = grep { !Touchstone::Run::Plan::is_whole($_->{test}) } @first;
    my $each   = @short ? $budget / @short : 0;
    my $length = min($LONGEST, max($SHORTEST, $each / $MOST - $BESIDE));
    my $turn   = $TURN * max(1, $copies / ($want{usable} // $copies));
    my @timed  = map { _timed($_, max($length, $want{sides} * $TURNS * $turn), $want{sides}) } @first;
    my $round  = sum(0, map { $_->{seconds} } grep { defined $_->{sitting} } @timed);
    my $fewest = $Touchstone::Stats::FEWEST;
    my $fit    = $round > 0            ? int($budget / $round)      : 0;
    my $rounds = defined $want{budget} ? max(1, min($fewest, $fit)) : $fewest;
    my @passes = map { _round($_, @timed) } 1 .. $rounds;
    my $whole  = sum(0, map { $_->{seconds} } grep { !defined $_->{sitting} } @timed);
    my $sum    = sum(0, map { $_->{seconds} } @passes);
    return {
        copies  => $copies,
        passes  => \@passes,
        seconds => $sum,
        beyond  => $rounds < $fewest ? 0 : max(0, $whole + $budget - $sum),
        open    => sum(0, map { $_->{seconds} } grep { Touchstone::Run::Plan::is_open($_->{test}) } @timed),
        budget  => $budget,
        whole_budget => defined $want{budget} ? $budget : undef,
        most         => max($rounds, min($MOST, $fit))
    };
}

sub _round {
    my ($round, @timed) = @_;
    return map {
        { %$_, round => $round }
    } grep { $round == 1 || defined $_->{sitting} } @timed;
}

sub _timed {
    my ($pass, $length, $sides) = @_;
    my $test = $pass->{test};
    return { %$pass, seconds => $sides * $pass->{seconds} } if Touchstone::Run::Plan::is_whole($test);
    my $sitting = max($length, $test->{least_seconds} // 0);
    return { %$pass, sitting => $sitting, seconds => $sitting + $BESIDE + $sides * ($test->{setup} // 0) };
}

1;
