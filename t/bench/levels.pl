#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Simulates machines with two speeds, with bursts and with noise to one side, and measures
#
#   - how far the scores of short passes are from UnixBench's ten-second passes on the same machine
#     (Score::Interval, and the median of the passes),
#   - how often 95 % intervals hold the score that endless passes would have (target: 93 to 97 %),
#   - how far disturbed passes move the score of a machine with one speed and with two.
#
#   perl -Ilib t/bench/levels.pl [series of each kind, 1000]
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Base::Random qw(normal);
use Touchstone::Score::Interval;
use Touchstone::Stats qw(geometric_mean interval mean median);

my $SERIES = shift // 1000;

# Seconds of a pass, from one pass of a test to its next one among twelve tests and where it is alone, and of
# a pass of UnixBench.
my ($WINDOW, $AMONG, $ALONE, $LONG) = (0.3, 5, 0.15, 10);

my $random = Touchstone::Base::Random::generator(4711);

# A machine is a function from seconds to its mean speed in the next seconds. One with states changes between
# them: [speed, mean seconds in this state] or [speed, function that draws them].
sub machine {
    my ($noise, @states) = @_;
    my $draw  = sub { my ($s) = @_; return ref $s->[1] ? $s->[1]->() : -$s->[1] * log(1 - $random->()) };
    my $state = $random->() < 0.5 ? 0 : 1;
    my $left  = $draw->($states[$state]);
    return sub {
        my ($seconds) = @_;
        my ($work, $rest) = (0, $seconds);
        while ($rest > 0) {
            my $part = min($rest, $left);
            $work += $part * $states[$state][0];
            $rest -= $part;
            $left -= $part;
            next if $left > 0;
            $state = 1 - $state;
            $left  = $draw->($states[$state]);
        }
        return $work / $seconds * (1 + $noise * normal($random) / sqrt($seconds / $WINDOW));
    };
}

# A machine whose windows are independent of each other.
sub windows {
    my ($draw) = @_;
    return sub {
        return mean(map { $draw->() } 1 .. max(1, sprintf '%.0f', $_[0] / $WINDOW));
    };
}

my @KINDS = (
    [ 'one speed, 1.5 % noise'           => sub { machine(0.015, [ 1, 1 ],   [ 1,   1 ]) } ],
    [ '1 and 8, fast 10 % of the time'   => sub { machine(0.05,  [ 1, 4.5 ], [ 8,   0.5 ]) } ],
    [ '1 and 8, fast half of the time'   => sub { machine(0.05,  [ 1, 2 ],   [ 8,   2 ]) } ],
    [ '1 and 8, fast 90 % of the time'   => sub { machine(0.05,  [ 1, 0.5 ], [ 8,   4.5 ]) } ],
    [ '1 and 1.3, fast 30 % of the time' => sub { machine(0.02,  [ 1, 7 ],   [ 1.3, 3 ]) } ],
    [
        'bursts of 0.05 to 2 s at half speed, 30 %' => sub {
            machine(0.01, [ 1, 2.4 ], [ 0.5, sub { 0.05 + 1.95 * $random->() } ]);
        }
    ],
    [ 'bursts of 0.2 s at a third, 5 %' => sub { machine(0.01, [ 1, 3.8 ], [ 1 / 3, 0.2 ]) } ],
    [
        'one pass in ten slower by up to 30 %' => sub {
            windows(sub { (1 + 0.01 * normal($random)) * ($random->() < 0.1 ? 1 - 0.3 * $random->() : 1) });
        }
    ],
    [
        'every pass slower, by 5 % on average' => sub {
            windows(sub { exp(0.05 * log(1 - $random->())) });
        }
    ],
);

# [passes, seconds to the next pass]; without a number, six and then as many as make an interval of 1.5 % to
# each side, at most sixty, as in a default run.
my @RUNS = (
    [ 6,  $AMONG ],
    [ 10, $AMONG ],
    [ 20, $AMONG ],
    [ 40, $AMONG ],
    [ 80, $AMONG ],
    [ 60, $ALONE ],
    [ 0,  $AMONG ]
);
my ($FEWEST, $MOST, $PRECISION) = (6, 60, 0.015);

sub score {
    return Touchstone::Score::Interval::of_score_of_passes(map { { rate => $_, better => 'higher' } } @_);
}

sub passes {
    my ($machine, $count, $gap) = @_;
    return map {
        my $rate = $machine->($WINDOW);
        $machine->($gap);
        $rate
    } 1 .. $count;
}

sub coverage {
    my ($make, $true, $count, $gap) = @_;
    my $held = 0;
    for (1 .. $SERIES) {
        my $machine = $make->();
        $machine->($LONG);
        my @passes = passes($machine, $count || $FEWEST, $gap);
        my ($low, $high) = @{ score(@passes)->{interval} };
        while (!$count && @passes < $MOST && $high - $low > $PRECISION * ($high + $low)) {
            push @passes, passes($machine, 1, $gap);
            ($low, $high) = @{ score(@passes)->{interval} };
        }
        $held++ if $low <= $true && $true <= $high;
    }
    return 100 * $held / $SERIES;
}

printf "%-42s %-32s %s\n", '', 'of ten-second passes', 'holds, per cent, with passes';
printf "%-42s %7s %7s %8s %7s  %s\n", '', 'median', 'score', 'classic', '', join ' ',
    map { sprintf '%5s', $_->[0] ? $_->[0] . ($_->[1] == $ALONE ? '*' : '') : 'run' } @RUNS;
for my $kind (@KINDS) {
    my ($name, $make) = @$kind;
    my $machine = $make->();
    my @long    = map { $machine->($LONG) } 1 .. 20_000;
    my @short   = passes($machine, 40_000, 1);
    my @classic = map {
        my @best = (sort { $b <=> $a } @long[ $_ * 10 .. $_ * 10 + 9 ])[ 0 .. 6 ];
        geometric_mean(@best)
    } 0 .. @long / 10 - 1;
    my ($ten, $true) = (mean(@long), score(@short)->{score});
    printf "%-42s %7.3f %7.3f %8.3f %7s  %s\n", $name, median(@short) / $ten, $true / $ten,
        mean(@classic) / $ten, '', join ' ',
        map { sprintf '%5.1f', coverage($make, $true, @$_) } @RUNS;
}
say '* passes of this test alone, one right after the other';

# Disturbed passes lose up to 60 % of their speed, and are marked; counters tell all of it but this part.
# Errors are root mean squares, in per cent.
my $UNTOLD = 0.05;
my @SHARES = (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1);
printf "\n%-42s %s\n", 'error with this part of 20 passes marked', join ' ',
    map { sprintf '%5.0f %%', 100 * $_ } @SHARES;
for my $case (
    [ 'one speed, 1 % noise',           0.01, 0,   1 ],
    [ 'one speed, 5 % noise',           0.05, 0,   1 ],
    [ '1 and 8, fast 30 % of the time', 0.05, 0.3, 8 ]
) {
    my ($name, $noise, $part, $fast) = @$case;
    my $true = 1 - $part + $part * $fast;
    my %error;
    for my $share (@SHARES) {
        for (1 .. $SERIES) {
            my @passes = map {
                my $rate = ($random->() < $part ? $fast : 1) * (1 + $noise * normal($random));
                my $lost = $random->() < $share;
                my $part = $lost ? 0.6 * $random->() : 0;
                { rate => $rate * (1 - $part), disturbed => $lost, lost => max(0, $part - $UNTOLD) }
            } 1 .. 20;
            my %got = (
                median  => median(map { $_->{rate} } @passes),
                mean    => mean(map { $_->{rate} } @passes),
                'score' => Touchstone::Score::Interval::of_score_of_passes(@passes)->{score}
            );
            $error{$_}{$share} += ($got{$_} / $true - 1)**2 / $SERIES for keys %got;
        }
    }
    printf "%-34s %-7s %s\n", $name, $_, join ' ',
        map { sprintf '%7.1f', 100 * sqrt $_ } @{ $error{$_} }{@SHARES}
        for qw(median mean score);
}
