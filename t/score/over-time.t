# SPDX-License-Identifier: GPL-2.0-or-later
# Score::Interval and Stats::Levels: the score of short passes, and tests with two speeds.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Near;
use NoWarnings;
use Runs;
use Touchstone::Base::Random qw(normal);
use Touchstone::Compare;
use Touchstone::Record::Warnings;
use Touchstone::Score::Interval;
use Touchstone::Score;
use Touchstone::Stats::Levels;
use Touchstone::Stats::Significance;
use Touchstone::Stats qw(mean median);

sub score {
    my (@rates) = @_;
    return Touchstone::Score::Interval::of_score_of_passes(map { +{ rate => $_, better => 'higher' } }
            @rates);
}

# Passes of a program with two speeds: 100, and 800 in every tenth pass.
my @TWO = map { ($_ % 10 == 3 ? 800 : 100) * (1 + 0.01 * (($_ * 7) % 5 - 2)) } 0 .. 59;

subtest 'the score is the median, and at most 2 % from the mean over time' => sub {
    my @even = (99, 100, 101, 98, 102, 100.5);
    is(score(@even)->{score},   median(@even), 'one speed: the median');
    is(score(@even)->{limited}, undef,         'which nothing limits');
    near(score(@TWO)->{score}, 0.98 * mean(@TWO),
        'two speeds: 2 % below the mean, on the side of the median');
    is(score(@TWO)->{limited}, 1, 'the mean decides');
    near(score((800) x 9, 100)->{score}, 1.02 * 730, 'or 2 % above it');
    is(score(5)->{score}, 5, 'one pass');
    near(score(-2, 1, 30)->{score}, 0.98 * 29 / 3, 'differences of times may be below zero');
};

subtest 'a disturbed pass does not pull the mean down by what others took' => sub {
    my $of = sub {
        my ($better, $lost, $bad, @good) = @_;
        return Touchstone::Score::Interval::of_score_of_passes(
            (map { +{ rate => $_, better => $better } } @good),
            map { +{ rate => $_, better => $better, disturbed => 1, lost => $lost } } @$bad)->{score};
    };
    my @good = map { 100 + $_ / 10 } 0 .. 9;
    ok(abs($of->(higher => 0.8, [ (20) x 4 ],  @good) - 100) < 1, 'four of fourteen passes lost four fifths');
    ok(abs($of->(lower  => 0.8, [ (500) x 4 ], @good) - 101) < 1, 'the same of fixed work');
    ok(abs($of->(higher => 0,   [ (20) x 4 ],  @good) - 100) < 1, 'also where no counter tells it');
    ok($of->(higher => 0, [], (20) x 4, @good) < 80, 'without marks the mean counts them');
    ok(
        abs($of->(higher => 0.02, [ (100) x 50 ], (800) x 3) - 139.6) < 5,
        'many harmless marks of the slower speed leave the mean what it is'
    );
    my @uneven = (map({ 40 + $_ } 0 .. 19), map { 100 + 10 * $_ } 0 .. 19);
    my $mean   = mean(@uneven);
    ok(abs($of->(higher => 0.01, \@uneven) / $mean - 1) < 0.03, 'so do small losses of all passes');
};

subtest 'the interval is that of the median where it decides, and that of the mean where this does' => sub {
    my @even = map { 100 + ($_ * 7 % 11) / 10 } 0 .. 19;
    is_deeply(score(@even)->{interval}, [ Touchstone::Stats::interval(\@even) ], 'of the median');
    my @mean = Touchstone::Stats::Significance::skewed_interval(\@TWO, 0.95);
    near(score(@TWO)->{interval}[0], 0.98 * $mean[0], 'the lower end, 2 % below that of the mean');
    near(score(@TWO)->{interval}[1], 0.98 * $mean[1], 'the upper end likewise');
    ok($mean[1] - mean(@TWO) > mean(@TWO) - $mean[0], 'it reaches further to the side of the tail');
    is(score(1 .. 5)->{interval}, undef, 'five passes have none');
};

subtest 'intervals hold the mean of two speeds in 93 of 100 cases or more, and not without skewness' => sub {
    my $random = Touchstone::Base::Random::generator(3);
    my ($held, $student) = (0, 0);
    for (1 .. 400) {
        my @rates = map { ($random->() < 0.08 ? 800 : 100) * (1 + 0.03 * normal($random)) } 1 .. 60;
        my ($low, $high) = @{ score(@rates)->{interval} };
        $held++ if $low <= 0.98 * 156 && 0.98 * 156 <= $high;
        ($low, $high) = Touchstone::Stats::Significance::mean_interval(@rates);
        $student++ if $low <= 156 && 156 <= $high;
    }
    ok($held >= 372,     'with skewness') || diag $held;
    ok($student < $held, 'without')       || diag $student;
};

subtest 'passes that follow one another at one speed make the interval wider' => sub {
    my @runs  = map { ((100) x 10, (800) x 10) } 1 .. 3;
    my @mixed = map { (100, 800) } 1 .. 30;
    my ($long, $short) = map { Touchstone::Stats::Significance::error_of_mean(@$_) } \@runs, \@mixed;
    ok($long > 2 * $short, 'more than twice as wide') || diag "$long $short";
    near($short, Touchstone::Stats::deviation(@mixed) / sqrt 60, 'alternating ones do not');
    is(Touchstone::Stats::Significance::error_of_mean((5) x 30), 0, 'equal values have no error');
};

subtest 'two levels are found with their shares, and none in one' => sub {
    my @levels = Touchstone::Stats::Levels::find_levels(@TWO);
    is(scalar @levels, 2, 'two');
    ok(abs($levels[0]{value} - 100) < 2 && abs($levels[1]{value} - 800) < 12, 'their means');
    is(sprintf('%.2f %.2f', map { $_->{share} } @levels), '0.90 0.10', 'their shares');
    my $random = Touchstone::Base::Random::generator(5);
    my %ONE    = (
        'normal noise'   => sub { 1 + 0.02 * normal($random) },
        'a long tail'    => sub { exp(0.3 * normal($random)) },
        'an even spread' => sub { 1 + $random->() }
    );

    for my $kind (sort keys %ONE) {
        my $found = grep {
            Touchstone::Stats::Levels::find_levels(map { $ONE{$kind}->() } 1 .. 60)
        } 1 .. 100;
        ok($found <= 2, "$kind: $found of 100");
    }
    is_deeply([ Touchstone::Stats::Levels::find_levels((1) x 10, (5) x 9) ],  [], '19 values are too few');
    is_deeply([ Touchstone::Stats::Levels::find_levels((1) x 40, (9) x 2) ],  [], 'two values are no level');
    is_deeply([ Touchstone::Stats::Levels::find_levels((0) x 20, (5) x 20) ], [], 'nothing is no speed');
};

# A run of one test with these rates.
sub run_of {
    my (@rates) = @_;
    return {
        name       => 'run',
        started    => 0,
        schedule   => { kind => 'default' },
        tests      => [ { name   => 'context1', title => 'Context', category => 'system', baseline => 10 } ],
        blocks     => [ { copies => 1, started => 0 } ],
        failures   => [],
        warnings   => [],
        host       => { usable_cpus => 2 },
        categories => [ { key => 'system', title => 'System', index => ['context1'] } ],
        passes     => [
            map {
                +{
                    test     => 'context1',
                    copies   => 1,
                    round    => 1,
                    timebase => 1,
                    unit     => 'lps',
                    counts   => [$_],
                    times    => [1],
                    starts   => [undef],
                    slices   => [undef]
                }
            } @rates
        ]
    };
}

subtest 'a run tells the two speeds of a test' => sub {
    my $facts   = run_of(@TWO);
    my $results = Touchstone::Score::score_run($facts, ended => 1);
    my ($note)  = grep { $_->{id} eq 'levels' } @{ Touchstone::Record::Warnings::collect($facts, $results) };
    is(
        $note->{text},
        'context1 has two speeds: 100 lps in 90 % of its passes, 792 lps in 10 %',
        'its speeds and their shares'
    );
    is($note->{weight}, 'note', 'it is a note');
    my $even = Touchstone::Score::score_run(run_of((100) x 30, (101) x 30), ended => 1);
    is_deeply([ grep { $_->{id} eq 'levels' } @{ $even->{findings} } ], [], 'one speed needs no word');
};

subtest 'the time of both speeds shows the likely reason' => sub {
    for my $case (
        [ 'processes that wake each other on two CPUs, or take turns on one', 0.3, 0.99, 2 ],
        [ 'clock, or a busy thread of the same core',                         0.9, 0.95, 2 ],
        [ 'a quota, steal, or other work',                                    0.3, 0.99, 0 ]
    ) {
        my ($reason, $slow, $fast, $switches) = @$case;
        my $facts = run_of(@TWO);
        for my $pass (@{ $facts->{passes} }) {
            my $cpu = $pass->{counts}[0] < 400 ? $slow : $fast;
            $pass->{user}  = [ $cpu / 4 ];
            $pass->{sys}   = [ $cpu * 3 / 4 ];
            $pass->{slept} = [ $switches * $pass->{counts}[0] ];
        }
        my $results = Touchstone::Score::score_run($facts, ended => 1);
        my ($note) =
            grep { $_->{id} eq 'levels' } @{ Touchstone::Record::Warnings::collect($facts, $results) };
        like($note->{text}, qr/in 10 % \(\Q$reason\E\)\z/, $reason);
    }
};

subtest 'a comparison of tests with two speeds compares means over time' => sub {
    my $run = sub {
        my ($name, $fast) = @_;
        my $random = Touchstone::Base::Random::generator(7);
        my @rates =
            map { (37 * $_ % 100 < $fast ? 800 : 100) * (1 + 0.02 * normal($random)) } 0 .. 199;
        return Runs::compared_run(
            $name   => { '1 pipe' => \@rates },
            change  => { '1 pipe' => score(@rates) },
            indexed => []
        );
    };
    my $compared = Touchstone::Compare::compare(runs => [ $run->(few => 10), $run->(many => 30) ]);
    my ($test) = @{ $compared->{pairs}[0]{tests} };
    ok($test->{ratio} > 1.7 && $test->{ratio} < 1.9, 'fast in 30 % of the time against 10 %')
        or diag $test->{ratio};
    is($test->{verdict}, 'faster', 'is faster') or diag $test->{why};
    ok($test->{interval}[0] < $test->{ratio} && $test->{ratio} < $test->{interval}[1],
        'the ratio lies within its interval');
};

done_testing;
