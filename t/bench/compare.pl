#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures how reliable a comparison is: false alarms in pairs of equal runs, detection of a slow-down of 3
# %, and the time it takes.
#
#   perl -Ilib t/bench/compare.pl [pairs of runs, 500]
#
#   pairs of equal runs with any difference          3.6 %        target 5 %         ok
use 5.014;
use strict;
use warnings;

use Time::HiRes qw(time);

use Touchstone::Compare::Run;
use Touchstone::Compare;
use Touchstone::Machine::Counters;
use Touchstone::Machine::Cpus;
use Touchstone::Record::Json;
use Touchstone::Score;
use Touchstone::Stats::Significance;
use Touchstone::Stats;

my $PAIRS  = shift // 500;
my $TESTS  = 12;
my $failed = 0;
srand 4711;

sub show {
    my ($what, $figure, $target, $ok) = @_;
    $failed++ if !$ok;
    printf "%-56s %-12s target %-14s %s\n", $what, $figure, $target, $ok ? 'ok' : 'MISSED';
    return;
}

sub normal { return sqrt(-2 * log(1 - rand)) * cos(6.283185307179586 * rand) }

# Returns rates of a test with noise of 0.3 to 3 %, one pass in twenty slowed down.
sub rates {
    my ($test, $n, $slower) = @_;
    my $noise = 0.003 * 10**($test / ($TESTS - 1));
    return [ map { 1000 * (1 - $slower) * exp($noise * normal()) * (rand() < 0.05 ? 1 - 0.2 * rand : 1) }
            1 .. $n ];
}

# Returns a run as Contestant has it. Passes are added until the score is sure, as Run does.
sub compared_run {
    my (%slower) = @_;
    my %tests;
    for my $test (0 .. $TESTS - 1) {
        my $rates = rates($test, 6, $slower{$test} // 0);
        push @$rates, @{ rates($test, 1, $slower{$test} // 0) }
            while @$rates < 20
            && Touchstone::Score::Interval::of_score(Touchstone::Stats::median(@$rates), @$rates)->{precision}
            > 0.015;
        $tests{"1 t$test"} = {
            name   => "t$test",
            title  => "T $test",
            copies => 1,
            unit   => 'lps',
            better => 'higher',
            rates  => $rates,
            map({ $_ => Touchstone::Stats::median(@$rates) } qw(score index))
        };
    }
    my %index = (
        title  => 'All',
        copies => 1,
        tests  => [ sort map { "t$_" } 0 .. $TESTS - 1 ],
        score  => Touchstone::Stats::geometric_mean(map { $_->{score} } values %tests)
    );
    return { name => 'run', facts => {}, tests => \%tests, indexes => { '1 all' => \%index } };
}

sub verdicts {
    my ($pair) = @_;
    return map { $_->{verdict} } @{ $pair->{tests} }, @{ $pair->{indexes} };
}

my ($alarms, $found, $other, $quiet) = (0, 0, 0, 0);
for (1 .. $PAIRS) {
    my ($pair) = @{ Touchstone::Compare::compare(runs => [ compared_run(), compared_run() ])->{pairs} };
    $alarms++ if grep { /faster|slower/ } verdicts($pair);

    # These tests have noise of 0.3 to 1 %, which a quiet machine reaches.
    my $slow = int(rand 6);
    ($pair) =
        @{ Touchstone::Compare::compare(runs => [ compared_run(), compared_run($slow => 0.03) ])->{pairs} };
    my %verdict = map { $_->{name} => $_->{verdict} } @{ $pair->{tests} };
    $found++ if delete $verdict{"t$slow"} eq 'slower';
    $other++ if grep { /faster|slower/ } values %verdict;
    $quiet += grep { /no difference/ } map { $verdict{"t$_"} // () } 0 .. 5;
}
show(
    "pairs of equal runs of $TESTS tests with any difference",
    sprintf('%.1f %%', 100 * $alarms / $PAIRS),
    'at most 5 %', $alarms <= 0.05 * $PAIRS
);
show(
    'a test slowed down by 3 % is found',
    sprintf('%.1f %%', 100 * $found / $PAIRS),
    'at least 90 %',
    $found >= 0.9 * $PAIRS
);
printf "%-56s %.1f %%\n", '... and no difference is seen in the other quiet ones', 100 * $quiet / $PAIRS / 5;
show(
    '... and another test is said to differ',
    sprintf('%.1f %%', 100 * $other / $PAIRS),
    'at most 5 %', $other <= 0.05 * $PAIRS
);

# Counts how often the interval of a ratio holds the true ratio, and how often that of the means does.
# The kinds of passes are logarithms of rates.
my %KIND = (
    'normal'         => sub { return 0.02 * normal() },
    'log-normal'     => sub { return -exp(0.8 * normal()) * 0.02 },
    'one in 20 slow' => sub { return 0.02 * normal() - (rand() < 0.05 ? 0.3 * rand : 0) },
    'two kinds'      => sub { return 0.02 * normal() - (rand() < 0.4  ? 1.2        : 0) },
    'two near kinds' => sub { return 0.01 * normal() - (rand() < 0.5  ? 0.08       : 0) },
);

sub pair_of {
    my ($kind, $n, $slower, $paired) = @_;

    # This disturbs both passes of a pair alike.
    my @common = map { $paired ? $KIND{$kind}->() : 0 } 1 .. $n;
    my @own    = map {
        $paired
            ? sub { return 0.003 * normal() }
            : $KIND{$kind}
    } 0, 1;
    my @rates = map {
        my $side = $_;
        [ map { 1000 * exp($_ + $own[$side]->() - $side * $slower) } @common ]
    } 0, 1;
    my @runs = map {
        my $score = Touchstone::Stats::median(@{ $rates[$_] });
        +{
            name    => "r$_",
            facts   => {},
            indexes => {},
            $paired ? (duet => 'd') : (),
            tests => {
                '1 t' => {
                    name   => 't',
                    title  => 'T',
                    copies => 1,
                    unit   => 'lps',
                    better => 'higher',
                    rates  => $rates[$_],
                    score  => $score
                }
            }
        }
    } 0, 1;
    my $means =
        $paired
        ? Touchstone::Stats::Significance::paired(map { log($rates[1][$_] / $rates[0][$_]) } 0 .. $n - 1)
        : Touchstone::Stats::Significance::differ(
        map {
            [ map { log } @$_ ]
        } @rates
        );
    my $width = Touchstone::Stats::Significance::t_quantile(0.025, $means->{freedom}) * $means->{error};
    return (
        Touchstone::Compare::compare(runs => \@runs)->{pairs}[0]{tests}[0],
        map { exp } $means->{difference} - $width,
        $means->{difference} + $width
    );
}

my ($alarms_of_all, $cases, $many) = (0, 0, int $PAIRS / 2);
print
    "of equal runs: how often an interval holds 1, that of the means, how often the ratio of the scores is outside this, outside its own; faster or slower; 3 times slower is found\n";
for my $case (
    map {
        my $kind = $_;
        map {
            my $n = $_;
            map { [ $_, $kind, $n ] } 0, 1
        } 8, 30
    } sort keys %KIND
) {
    my ($paired, $kind, $n) = @$case;
    my %seen = map { $_ => 0 } qw(held by_means outside out alarms found);
    for (1 .. $many) {
        my ($test, $low, $high) = pair_of($kind, $n, 0, $paired);
        $seen{held}++     if $test->{interval}[0] <= 1 && $test->{interval}[1] >= 1;
        $seen{by_means}++ if $low <= 1                 && $high >= 1;
        $seen{outside}++  if $test->{ratio} < $low                 || $test->{ratio} > $high;
        $seen{out}++      if $test->{ratio} < $test->{interval}[0] || $test->{ratio} > $test->{interval}[1];
        $seen{alarms}++   if $test->{verdict} =~ /faster|slower/;
        $seen{found}++    if (pair_of($kind, $n, log 3, $paired))[0]{verdict} eq 'slower';
    }
    my %part = map { $_ => 100 * $seen{$_} / $many } keys %seen;
    $alarms_of_all += $part{alarms};
    $cases++;
    printf "  %-8s %-15s n %2d  %5.1f %%  %5.1f %%  %5.1f %%  %g %%  %5.1f %%  %5.1f %%\n", $paired
        ? 'pairs'
        : 'two runs', $kind, $n, @part{qw(held by_means outside out alarms found)};
    $failed++ if $seen{out} || $seen{held} < ($paired ? $seen{by_means} : 0.9 * $many);
}
my $mean = $alarms_of_all / $cases;
show('equal runs of one test that are said to differ', sprintf('%.1f %%', $mean), 'at most 5 %', $mean <= 5);

# Writes records of 12 tests with so many passes, to be read and compared.
sub record_file {
    my ($file, $passes) = @_;
    my @names  = map { "t$_" } 0 .. $TESTS - 1;
    my %record = (
        format     => 2,
        name       => 'r',
        started    => 1,
        utc_offset => 0,
        status     => 'complete',
        tool       => { name => 'Touchstone', version => '7.0.0' },
        host       => {
            name => 'h',
            map({ $_ => 'x' } qw(os release version machine platform uptime runlevel)),
            online_cpus => 1,
            cpus        => []
        },
        build    => {},
        locale   => { map { $_ => 'C' } qw(name charmap collate) },
        schedule => { kind => 'default' },
        map({ $_ => [] } qw(failures skipped warnings)),
        tests      => [ map { { name => $_, title => "T $_", category => 'all', baseline => 1 } } @names ],
        categories => [ { key    => 'all', title   => 'All', index => \@names } ],
        blocks     => [ { copies => 1,     started => 1 } ],
        passes     => [],
    );
    for my $round (1 .. $passes / $TESTS) {
        push @{ $record{passes} }, map {
            {
                test     => $names[$_],
                copies   => 1,
                round    => $round,
                window   => 1,
                timebase => 1,
                unit     => 'lps',
                counts   => [ rates($_, 1, 0)->[0] ],
                times    => [1],
                starts   => [1000],
                slices   => [ join ' ', map { $_ * 100_000_000 . ':' . $_ * 100 } 1 .. 10 ]
            }
        } 0 .. $TESTS - 1;
    }
    open my $out, '>', $file or die "cannot write '$file': $!\n";
    print {$out} Touchstone::Record::Json::encode(\%record);
    close $out or die "cannot write '$file': $!\n";
    return $file;
}

require File::Temp;
my $dir = File::Temp->newdir;
for my $case ([ 12 * 7, 0.5 ], [ 12 * 84, 2 ]) {
    my ($passes, $target) = @$case;
    my @files = map { record_file("$dir/$_.json", $passes) } 1, 2;
    my @times;
    for (1 .. 5) {
        my $begun = time;
        system $^X, 'Run', 'compare', @files, '--format', 'json'
            if open my $keep, '>&', \*STDOUT
            and open STDOUT, '>', "$dir/out"
            and 1;
        open STDOUT, '>&', $keep or die "cannot restore standard output: $!\n" if $keep;
        push @times, time - $begun;
    }
    my $seconds = Touchstone::Stats::median(@times);
    show(
        "two records of $passes passes compared",
        sprintf('%.2f s', $seconds),
        "under $target s",
        $seconds < $target
    );
}

my $counters = Touchstone::Machine::Counters->new(Touchstone::Machine::Cpus::read_all());
my @costs    = map {
    my $begun  = time;
    my $before = $counters->look;
    Touchstone::Machine::Counters::since($before, $counters->look);
    (time - $begun) * 1e3
} 1 .. 101;
my $cost = Touchstone::Stats::median(@costs);
show('reading the counters before and after a pass', sprintf('%.2f ms', $cost), 'at most 5 ms', $cost <= 5);

exit($failed ? 1 : 0);
