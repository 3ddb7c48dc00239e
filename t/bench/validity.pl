#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures the rule that calls a run not valid (Score::Findings) on runs that are made up: twelve tests, six
# rounds, on two CPUs, with counters as they would have been. How far an index is really off is known, as the
# same run is scored without what disturbed it. `half` is a simpler rule: that more than half of the passes
# of any test were disturbed.
#
#   perl -Ilib -It/lib t/bench/validity.pl [runs, 1000]
#
#   1 copy: 30 % of passes lose 1 to 3 %     off 0.5 %   not valid 0.0 %   half 58 %   target at most 1 %   ok
#   2 copies: off by more than 5 %   ...
use 5.014;
use strict;
use warnings;

use List::Util qw(min max sum);

use Runs;
use Touchstone::Base::Random;
use Touchstone::Score;
use Touchstone::Stats qw(mean);

my $RUNS   = shift // 1000;
my $TESTS  = 12;
my $ROUNDS = 6;
my $CPUS   = 2;
my $NOISE  = 0.005;
my $random = Touchstone::Base::Random::generator(1);

sub between { my ($low, $high) = @_; return $low + ($high - $low) * $random->() }

# A normal number, from twelve even ones.
sub normal {
    return sum(map { $random->() } 1 .. 12) - 6;
}

# A run of which a pass loses the part that `loss` says, called with round and test; a true index; and one as
# it was measured. `steal` or `other` is what counters tell of that: the hypervisor's share, or CPUs that
# others had.
sub run_with {
    my ($copies, $kind, $loss) = @_;
    my (%rates, %clean, %counters);
    for my $test (1 .. $TESTS) {
        for my $round (1 .. $ROUNDS) {
            my $lost = $loss->($round, $test);
            my $rate = 1000 * exp($NOISE * normal());
            push @{ $clean{"$copies t$test"} }, $rate;
            push @{ $rates{"$copies t$test"} }, $rate * (1 - $lost);
            push @{ $counters{"t$test"} },      counters($copies, $kind, $lost);
        }
    }
    my $facts = Runs::record('run', \%rates, host => { usable_cpus => $CPUS });
    $_->{counters} = shift @{ $counters{ $_->{test} } } for @{ $facts->{passes} };
    my ($index, $true) = map { Touchstone::Score::scores($_)->{blocks}[0]{indexes}[0]{score} } $facts,
        Runs::record('clean', \%clean);
    return { facts => $facts, off => 1 - $index / $true };
}

# Counters are ticks of a hundredth of a second. A pass that others cost nothing may have had them on other
# CPUs.
sub counters {
    my ($copies, $kind, $lost) = @_;
    my $wanted = min($copies, $CPUS);
    my $taken  = $kind eq 'steal' ? $lost * $wanted : $lost > 0 ? $lost * $wanted + $CPUS - $wanted : 0;
    my %c      = (seconds => 1, steal => 0, other => 0);
    return { %c, $kind => max(0, int(100 * $taken + between(-2, 2) + 0.5) / 100) };
}

# What the rules say of a run: (not valid, half).
sub judged {
    my ($run)   = @_;
    my $results = Touchstone::Score::of($run->{facts}, ended => 1);
    my ($found) = grep { $_->{id} eq 'disturbed' } @{ $results->{findings} };
    my $half    = grep { $_->{disturbed} > $_->{passes} / 2 } @{ $results->{blocks}[0]{tests} };
    return ($found && $found->{invalid} ? 1 : 0, $half ? 1 : 0);
}

my $failed = 0;

# `most` or `least`: how many runs in a hundred may, or must, be called not valid.
sub show {
    my ($what, $limit, $target, @runs) = @_;
    return printf "%-62s none of them\n", $what if !@runs;
    my @judged = map { [ judged($_) ] } @runs;
    my ($void, $half) = map {
        my $i = $_;
        100 * mean(map { $_->[$i] } @judged)
    } 0, 1;
    my $is_good = $limit eq 'at most' ? $void <= $target : $void >= $target;
    $failed++ if !$is_good;
    printf "%-62s off %4.1f %%  not valid %5.1f %%  half %5.1f %%  target %s %g %%  %s\n", $what,
        100 * mean(map { $_->{off} } @runs), $void, $half, $limit, $target, $is_good ? 'ok' : 'MISSED';
    return;
}

# What a machine in a cloud has always.
for my $copies (1, 2) {
    for my $kind (qw(steal other)) {
        for my $chance (5, 10, 20, 30, 100) {
            my @runs = map {
                run_with($copies, $kind, sub { $random->() < $chance / 100 ? between(0.01, 0.03) : 0 })
            } 1 .. $RUNS / 10;
            show("$copies of $CPUS CPUs wanted, $kind: $chance % of passes lose 1 to 3 %",
                'at most', 1, @runs);
        }
    }
}

# A neighbour takes a part of the CPUs for a part of the run, all at once, since it comes and goes.
my @burst = map {
    my ($copies, $kind) = ($random->() < 0.5 ? 1 : 2, $random->() < 0.5 ? 'steal' : 'other');
    my ($part, $share, $from) = (between(0, 0.5), $random->(), $random->());
    run_with(
        $copies, $kind,
        sub {
            my ($round, $test) = @_;
            my $when = ($round - 1 + $random->()) / $ROUNDS;
            return $when >= $from * (1 - $share)
                && $when < $from * (1 - $share) + $share
                ? $part * between(0.7, 1)
                : 0;
        }
    )
} 1 .. $RUNS;
my @step   = ([ -1, 0.01 ], [ 0.01, 0.03 ], [ 0.03, 0.05 ], [ 0.05, 0.07 ], [ 0.07, 0.1 ], [ 0.1, 1 ]);
my @target = (
    [ 'at most',  1 ],
    [ 'at most',  5 ],
    [ 'at most',  50 ],
    [ 'at least', 50 ],
    [ 'at least', 95 ],
    [ 'at least', 99 ]
);
for my $i (0 .. $#step) {
    my ($low, $high) = @{ $step[$i] };
    show(
        sprintf('a neighbour comes and goes: index off by %g to %g %%', max(0, 100 * $low), 100 * $high),
        @{ $target[$i] },
        grep { $_->{off} > $low && $_->{off} <= $high } @burst
    );
}
exit($failed ? 1 : 0);
