#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures what a comparison makes of a machine whose runs differ by more than their passes tell: false alarms
# in pairs of equal runs, and detection of tests that became slower by 3 and by 10 %, without its stored runs
# and with 3, 5 and 10 of them.
#
#   perl -Ilib t/bench/drift.pl [pairs of runs, 100]
#
#   runs differ by 1 %, 5 stored   alarms 4.5 % (alone 99.0 %)   3 % 10.0 % (alone 92.0 %)   10 % 88.0 %   ok
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);

use Touchstone::Compare::Drift;
use Touchstone::Compare;
use Touchstone::Stats;

my $PAIRS  = shift // 100;
my $TESTS  = 12;
my $failed = 0;
srand 4711;

sub normal { return sqrt(-2 * log(1 - rand)) * cos(6.283185307179586 * rand) }

# Passes have noise of 0.3 to 3 %, by test, and one in twenty is slowed down.
sub rates {
    my ($test, $level) = @_;
    my $noise = 0.003 * 10**($test / ($TESTS - 1));
    return map { 1000 * exp($level + $noise * normal()) * (rand() < 0.05 ? 1 - 0.2 * rand : 1) } 1 .. 8;
}

# A test has a share of the drift of its own; half of the variance meets all tests of a run alike.
sub run_of {
    my ($number, $share) = @_;
    my $common = normal();
    my %tests;
    for my $test (0 .. $TESTS - 1) {
        $tests{"1 t$test"} =
            test_of($test, rates($test, $share->[$test] * ($common + normal()) / sqrt 2));
    }
    return finished($number, %tests);
}

sub test_of {
    my ($test, @rates) = @_;
    my $score = Touchstone::Stats::median(@rates);
    return {
        name     => "t$test",
        title    => "T $test",
        copies   => 1,
        unit     => 'lps',
        better   => 'higher',
        rates    => \@rates,
        score    => $score,
        index    => $score,
        interval => [ Touchstone::Stats::interval(\@rates) ]
    };
}

sub finished {
    my ($number, %tests) = @_;
    my $score = Touchstone::Stats::geometric_mean(map { $_->{score} } values %tests);
    my $half  = sqrt(sum(map { log($_->{interval}[1] / $_->{interval}[0])**2 } values %tests)) / 2 / $TESTS;
    my %index = (
        title    => 'All',
        copies   => 1,
        tests    => [ sort map { $_->{name} } values %tests ],
        score    => $score,
        interval => [ $score * exp(-$half), $score * exp($half) ]
    );
    return {
        name    => "run $number",
        started => $number * 3600,
        group   => '',
        facts   => { 'h name' => 'vm' },
        tests   => \%tests,
        indexes => { '1 all' => \%index }
    };
}

# The same run with a test that is slower.
sub slowed {
    my ($run, $test, $part) = @_;
    my %tests = %{ $run->{tests} };
    $tests{"1 t$test"} = test_of($test, map { $_ * (1 - $part) } @{ $tests{"1 t$test"}{rates} });
    return finished($run->{started} / 3600, %tests);
}

sub verdicts {
    my ($first, $second, $history) = @_;
    my %drift =
        $history
        ? (drift => Touchstone::Compare::Drift::estimate([ @$history, $second ], $first, $second))
        : ();
    my $pair = Touchstone::Compare::compare(runs => [ $first, $second ], %drift)->{pairs}[0];
    return map { $_->{name} => $_->{verdict} } @{ $pair->{tests} }, @{ $pair->{indexes} };
}

# Parts of the pairs: { alarms, alone, 3, '3 alone', 10, '10 alone' }.
sub seen {
    my ($stored, $drift) = @_;
    my %seen = map { $_ => 0 } 'alarms', 'alone', map { ($_, "$_ alone") } 3, 10;
    for (1 .. $PAIRS) {
        my @share   = map { $drift * exp(0.5 * normal()) } 1 .. $TESTS;
        my @history = map { run_of($_, \@share) } 1 .. $stored;
        my $next    = run_of($stored + 1, \@share);

        # These tests have noise of 0.3 to 1 %.
        my $test = int rand 6;
        for my $with ([ '', \@history ], [ ' alone', undef ]) {
            my ($how, $known) = @$with;
            my %equal = verdicts($history[-1], $next, $known);
            $seen{ length $how ? 'alone' : 'alarms' }++ if grep { /faster|slower/ } values %equal;
            for my $slower (3, 10) {
                my %changed = verdicts($history[-1], slowed($next, $test, $slower / 100), $known);
                $seen{"$slower$how"}++ if $changed{"t$test"} eq 'slower';
            }
        }
    }
    return { map { $_ => 100 * $seen{$_} / $PAIRS } keys %seen };
}

for my $drift (0, 0.01, 0.03) {
    for my $stored (3, 5, 10) {
        my $seen = seen($stored, $drift);

        # So many pairs differ from 5 % by chance.
        my $most = 5 + 200 * sqrt(0.05 * 0.95 / $PAIRS);
        my $ok   = $seen->{alarms} <= $most;
        $failed++ if !$ok;
        printf "runs differ by %g %%, %2d stored   alarms %5.1f %% (alone %5.1f %%)   "
            . "3 %% %5.1f %% (alone %5.1f %%)   10 %% %5.1f %% (alone %5.1f %%)   %s\n", 100 * $drift,
            $stored,
            @$seen{qw(alarms alone)}, @$seen{ 3, '3 alone', 10, '10 alone' }, $ok ? 'ok' : 'MISSED';
    }
}
exit($failed ? 1 : 0);
