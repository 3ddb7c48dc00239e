# SPDX-License-Identifier: GPL-2.0-or-later
# Costs - simulated runs of one test whose operation has known user, kernel and waiting time.
package Costs;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);

use Touchstone::Base::Random qw(normal);
use Touchstone::Compare;
use Touchstone::Compare::CostSplit;
use Touchstone::Score::Interval;
use Touchstone::Stats;

# A kernel divides the CPU time of a pass by so many ticks of its clock; 0: exactly.
our $TICKS = 75;

# One pass in so many is disturbed: up to a fifth of its time is waiting in addition.
my ($DISTURBED, $MOST) = (0.05, 0.2);

# [user, kernel, waiting] of a pass.
sub pass {
    my ($random, $noise, @times)  = @_;
    my ($user, $kernel, $waiting) = map { $_ * exp($noise * normal($random)) } @times;
    my $all    = exp($noise * normal($random));
    my $cpu    = $user + $kernel;
    my $share  = $user / $cpu;
    my $error  = $TICKS ? sqrt($share * (1 - $share) / $TICKS) : 0;
    my $seen   = $share + $error * normal($random);
    my $counts = $seen < 0 ? 0 : $seen > 1 ? 1 : $seen;
    $waiting += $MOST * $random->() * ($cpu + $waiting) if $random->() < $DISTURBED;
    return [ map { $_ * $all } $counts * $cpu, (1 - $counts) * $cpu, $waiting ];
}

# A run as Compare has it, with six passes or more until its score is precise.
sub run {
    my ($random, $name, $noise, @times) = @_;
    my @passes = map { pass($random, $noise, @times) } 1 .. 6;
    my $score;
    while (1) {
        my @rates = map { 1 / sum(@$_) } @passes;
        $score = Touchstone::Score::Interval::of_score(Touchstone::Stats::median(@rates), @rates);
        last if $score->{precision} <= 0.015 || @passes == 20;
        push @passes, pass($random, $noise, @times);
    }
    my @rates = map { 1 / sum(@$_) } @passes;
    my $test  = {
        %$score,
        name   => 't',
        title  => 'T',
        copies => 1,
        unit   => 'lps',
        better => 'higher',
        rates  => \@rates,
        score  => Touchstone::Stats::median(@rates),
        costs  => { passes => \@passes }
    };
    return { name => $name, facts => {}, tests => { '1 t' => $test }, indexes => {} };
}

# The test of a comparison of two runs, of which the second takes its times by these factors.
sub compared {
    my ($random, $times, $factors, $noise) = @_;
    my @changed = map { $times->[$_] * $factors->[$_] } 0 .. $#$times;
    my @runs    = (run($random, 'one', $noise, @$times), run($random, 'other', $noise, @changed));
    return Touchstone::Compare::compare(runs => \@runs)->{pairs}[0]{tests}[0];
}

# The logarithms that were planted.
sub true_parts {
    my ($times, $factors) = @_;
    my @changed = map { $times->[$_] * $factors->[$_] } 0 .. $#$times;
    my $mean    = Touchstone::Compare::CostSplit::log_mean(sum(@$times), sum(@changed));
    return map { ($changed[$_] - $times->[$_]) / $mean } 0 .. $#$times;
}

sub holds {
    my ($interval, $value) = @_;
    return $interval->[0] - 1e-12 <= $value && $value <= $interval->[1] + 1e-12;
}

1;
