#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Simulates tests whose undisturbed speed is 1000, with noise of their own in each slice and disturbances of
# known strength, and prints what Score::Undisturbed makes of their slices: the error of the undisturbed speed
# (mean and standard deviation), how often its interval holds the truth, how often a loss of 3 % or more is
# claimed, and the consistency. A program that computes tells its CPU time, one that sleeps does not. `hog`
# takes the CPU, which CPU time shows; all others slow the CPU down or steal it, which CPU time does not show.
#
#   perl -Ilib t/bench/undisturbed.pl [tests of each kind, 200]
#
#   program    disturbance       noise  delivered  undisturbed   error        holds   claimed  consistency
#   computes   none              1 %        1000         1001   +0.1 ±0.2 %   97 %      0 %      98
use 5.014;
use strict;
use warnings;

use List::Util qw(sum max);

use Touchstone::Score::Undisturbed;
use Touchstone::Stats qw(mean median);

use constant { SPEED => 1000, PASSES => 8, SECONDS => 1, SLICES => 100 };

my $TESTS = shift // 200;
my @NOISE = (0.002, 0.01, 0.05);
srand 4711;

sub normal { return sqrt(-2 * log(1 - rand)) * cos(6.283185307179586 * rand) }

# Each disturbance is a sub that returns, for a pass, a sub that gives (speed, CPU share) of a millisecond.
my %DISTURBANCE = (
    none => sub {
        sub { (1, 1) }
    },
    'one slice in ten' => sub {
        my %slow;
        sub {
            my $slice = int($_[0] / 10);
            return ($slow{$slice} //= rand() < 0.1 ? 0.1 + 0.8 * rand : 1, 1);
        }
    },
    'bursts of 0.05 to 2 s' => sub {
        my ($on, $until, $speed) = (rand() < 0.3, 0, 1);
        $until = (0.05 + 1.95 * rand) * 1000 * rand;
        $speed = $on ? 0.4 + 0.5 * rand : 1;
        sub {
            if ($_[0] >= $until) {
                $on    = !$on;
                $until = $_[0] + ($on ? 50 + 1950 * rand : (50 + 1950 * rand) * 7 / 3);
                $speed = $on ? 0.4 + 0.5 * rand : 1;
            }
            return ($speed, 1);
        }
    },
    'hog, turns of 3 to 4 ms' => sub {
        my ($runs, $until) = (rand() < 0.5, 3 * rand);
        sub {
            my $left = 1;
            my $got  = 0;
            my $now  = $_[0];
            while ($now < $_[0] + 1) {
                my $end = $until < $_[0] + 1 ? $until : $_[0] + 1;
                $got += $end - $now if $runs;
                $now = $end;
                if ($now >= $until) { $runs = !$runs; $until += 3 + rand }
            }
            return (1, $got);
        }
    },
    'steal of 20 %, 10 ms each' => sub {
        my ($stolen, $until) = (0, 40 * rand);
        sub {
            my ($now, $got) = ($_[0], 0);
            while ($now < $_[0] + 1) {
                my $end = $until < $_[0] + 1 ? $until : $_[0] + 1;
                $got += $end - $now if !$stolen;
                $now = $end;
                if ($now >= $until) { $stolen = !$stolen; $until += $stolen ? 10 : 20 + 40 * rand }
            }
            return ($got, 1);
        }
    },
    'drift of 3 %' => sub {
        my ($pass) = @_;
        sub { (0.985 + 0.03 * ($pass + $_[0] / 1000) / PASSES, 1) }
    },
);
my @DISTURBANCES = (
    'none',
    'drift of 3 %',
    'one slice in ten',
    'steal of 20 %, 10 ms each',
    'bursts of 0.05 to 2 s',
    'hog, turns of 3 to 4 ms'
);

# A pass as a record holds it; a slice ends when a hundredth of its time is over.
sub pass {
    my ($at,   $noise, $sleeps) = @_;
    my ($done, $cpu,   @slices) = (0, 0);
    for my $slice (0 .. SLICES- 1) {
        my $work = 0;
        for my $ms ($slice * 10 .. $slice * 10 + 9) {
            my ($speed, $share) = $at->($ms);
            $work += $speed * $share;
            $cpu  += $share;
        }
        $done += max(0, $work * SPEED * (1 + $noise * normal()));
        push @slices, sprintf '%d:%d:%d', ($slice + 1) * 1e7, $done * 1e3, $cpu * 1e3;
    }
    my $count = (split /:/, $slices[-1])[1];
    return {
        unit     => 'lps',
        timebase => 1,
        counts   => [$count],
        times    => [SECONDS],
        user     => [ $cpu / 1e3 ],
        sys      => [0],
        slept    => [ $sleeps ? 1000 : 0 ],
        starts   => [0],
        slices   => ["@slices"],
        cpus     => [undef],
    };
}

sub one_test {
    my ($kind, $noise, $sleeps) = @_;
    my @passes = map { pass($DISTURBANCE{$kind}->($_), $noise, $sleeps) } 0 .. PASSES- 1;
    my @rates  = map { $_->{counts}[0] / SECONDS / 1e6 } @passes;
    return {
        score => median(@rates),
        Touchstone::Score::Undisturbed::of_test(
            passes => \@passes,
            rates  => \@rates,
            score  => median(@rates),
            better => 'higher',
            cpus   => 2,
            marks  => [ map { undef } @passes ],
            losses => [ map { $kind =~ /hog/ ? 0.5 : 0 } @passes ]
        )
    };
}

sub part {
    my ($test, @tests) = @_;
    return @tests ? 100 * (grep { $test->($_) } @tests) / @tests : 0;
}

printf "%-9s %-26s %-6s %9s %12s %15s %7s %8s %12s\n",
    qw(program disturbance noise delivered undisturbed error
    holds claimed consistency);
for my $sleeps (0, 1) {
    for my $kind (@DISTURBANCES) {
        for my $noise (@NOISE) {
            my @tests = map  { one_test($kind, $noise, $sleeps) } 1 .. $TESTS;
            my @told  = grep { defined $_->{undisturbed} } @tests;
            my @error = map  { $_->{undisturbed} / SPEED - 1 } @told;
            my $holds = part(
                sub {
                    my ($low, $high) = @{ $_[0] }{qw(undisturbed_low undisturbed_high)};
                    $low <= SPEED && SPEED <= $high;
                },
                @told
            );
            my $claimed = part(sub { $_[0]{shows_loss} }, @told);
            printf "%-9s %-26s %-6s %9.0f %12s %15s %6.0f%% %7.0f%% %12.0f%s\n",
                $sleeps ? 'sleeps' : 'computes',
                $kind, $noise * 100 . ' %', mean(map { $_->{score} } @tests),
                @told ? sprintf('%.0f', mean(map { $_->{undisturbed} } @told)) : '-',
                @told
                ? sprintf('%+.1f +-%.1f %%', 100 * mean(@error), 100 * Touchstone::Stats::deviation(@error))
                : '-',
                $holds, $claimed, mean(map { $_->{consistency} } @tests),
                @told < @tests ? sprintf('   not told: %.0f%%', 100 - 100 * @told / @tests) : '';
        }
    }
}
