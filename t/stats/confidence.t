# SPDX-License-Identifier: GPL-2.0-or-later
# Stats::Confidence with known answers: what an index, a speed-up and a ratio of runs are made of.
# t/bench/coverage.pl measures how often their intervals hold the truth.
use 5.014;
use strict;
use warnings;

use List::Util qw(shuffle);
use Test::More;

use lib 't/lib';
use Near;
use NoWarnings;
use Touchstone::Stats::Confidence;
use Touchstone::Stats;

sub of_passes { return Touchstone::Stats::Confidence::of_median(@_) }
sub product   { return Touchstone::Stats::Confidence::product(@_) }

# A figure whose interval reaches so far by its logarithm; without an error of its own it has that of endless
# passes.
sub figure {
    my ($low, $high, $error) = @_;
    return { low => $low, high => $high, error => $error // ($low + $high) / 2 / $Touchstone::Stats::NORMAL };
}

sub index_of {
    my (@sure) = @_;
    return product(map { [ $_, 1 / @sure ] } @sure);
}

# Passes of which one is 30 % slower.
my @DISTURBED = (70,   99,   99.7, 100, 100.4, 101);
my @QUIET     = (99.8, 99.9, 100,  100, 100.1, 100.2);

subtest 'one test alone keeps its interval to the last digit that a number has' => sub {
    for my $passes (\@DISTURBED, \@QUIET, [ 1 .. 30 ], [ 3, 1, 4, 1, 5, 9, 2, 6 ]) {
        my ($low, $high) = Touchstone::Stats::interval($passes);
        my $limits = Touchstone::Stats::Confidence::limits(Touchstone::Stats::median(@$passes),
            product([ of_passes(@$passes), 1 ]));
        near($limits->[0], $low,  "low of @$passes");
        near($limits->[1], $high, "high of @$passes");
    }
};

subtest 'a power of one test has the same power of its interval' => sub {
    my $sure = figure(0.3, 0.1, 0.02);
    my $root = product([ $sure, 0.5 ]);
    near($root->{low},  0.15, 'low');
    near($root->{high}, 0.05, 'high');
    my $inverse = product([ $sure, -1 ]);
    near($inverse->{low},  0.1, 'the inverse is turned round');
    near($inverse->{high}, 0.3, 'at both ends');
};

subtest 'figures of endless passes add up as squares' => sub {
    my $both = product([ figure(0.3, 0.3), 1 ], [ figure(0.4, 0.4), -1 ]);
    near($both->{$_},    0.5,                              $_) for qw(low high);
    near($both->{error}, 0.5 / $Touchstone::Stats::NORMAL, 'so do the errors');
    near(index_of(map { figure(0.1, 0.1) } 1 .. 4)->{low},
        0.05, 'four equal tests make an index twice as sure');
};

# The squares of the errors are 2 x 0.01^2, and each test alone reaches by 0.03^2 - 0.0196^2 further.
subtest 'what few passes make wider counts by the share of their test' => sub {
    my $two = product(map { [ figure(0.03, 0.03, 0.01), 1 ] } 1, 2);
    near($two->{low}, sqrt(2 * 0.0196**2 + 0.03**2 - 0.0196**2), 'of two');
    my $many = product(map { [ figure(0.03, 0.03, 0.01), 1 ] } 1 .. 100);
    near($many->{low}, sqrt(100 * 0.0196**2 + 0.03**2 - 0.0196**2), 'of a hundred it is hardly seen');
};

subtest 'an index is never surer than one of its tests lets it be' => sub {
    my ($disturbed, $quiet) = (of_passes(@DISTURBED), of_passes(@QUIET));
    my $index = index_of($disturbed, $quiet);
    cmp_ok($disturbed->{low}, '>',  0.1, 'one pass in six makes the interval of its test wide');
    cmp_ok($index->{low},     '>=', $disturbed->{low} / 2, 'and that of the index half as wide');
    cmp_ok($index->{high},    '<',  0.01,                  'on the side where it was disturbed');
};

subtest 'an index is never less sure than all of its tests together' => sub {
    my $odd = figure(0.001, 0.2, 0.1);
    near(index_of($odd, $odd)->{low}, 0.001, 'though the middle of its passes is as wide as all');
};

subtest 'a farther outlier makes an index no surer' => sub {
    my @others = map {
        of_passes(map { $_ * 7 } @QUIET)
    } 1 .. 3;
    my $before = 0;
    for my $worst (99, 95, 80, 50, 1) {
        my $low = index_of(of_passes($worst, @DISTURBED[ 1 .. 5 ]), @others)->{low};
        cmp_ok($low, '>', $before, "a pass of $worst");
        $before = $low;
    }
};

subtest 'passes that lie evenly give an index that does too, in any unit' => sub {
    my @even  = map { 50 * exp(0.01 * $_) } -4 .. 4;
    my $index = index_of(map { of_passes(@even) } 1 .. 3);
    cmp_ok(abs($index->{low} / $index->{high} - 1), '<', 1e-3, 'as far below as above');
    my $scaled = index_of(of_passes(map { $_ * 1e6 } @even), map { of_passes(@even) } 1, 2);
    near($scaled->{$_}, $index->{$_}, "$_ of other units") for qw(low high error);
};

subtest 'the order of the tests does not matter, and the same tests give the same' => sub {
    my @tests = map {
        my $n = $_;
        of_passes(map { 100 + $_ * $_ % (5 + $n) } 1 .. 6 + $n)
    } 1 .. 12;
    my $index = index_of(@tests);
    is_deeply(index_of(@tests), $index, 'again');
    near(index_of(reverse @tests)->{$_}, $index->{$_}, "$_ in reverse") for qw(low high error);
    near(index_of(shuffle @tests)->{$_}, $index->{$_}, "$_ shuffled")   for qw(low high error);
};

subtest 'a ratio of two indexes is that of all their tests' => sub {
    my @one   = map { figure(0.02 * $_, 0.02 * $_, 0.008 * $_) } 1 .. 3;
    my @other = map { figure(0.03 * $_, 0.03 * $_, 0.012 * $_) } 1 .. 3;
    my $ratio = product([ index_of(@one), -1 ],        [ index_of(@other), 1 ]);
    my $all   = product((map { [ $_, -1 / 3 ] } @one), map { [ $_, 1 / 3 ] } @other);
    near($ratio->{$_}, $all->{$_}, $_) for qw(low high error);
};

subtest 'passes that are all the same have no uncertainty' => sub {
    my $same = of_passes((7) x 8);
    is_deeply(index_of($same, $same), { low => 0, high => 0, error => 0 }, 'nor has their index');
    is_deeply(Touchstone::Stats::Confidence::limits(3, $same), [ 3, 3 ],   'its limits are itself');
    near(
        index_of($same, of_passes(@QUIET))->{low},
        of_passes(@QUIET)->{low} / 2,
        'beside another it is that of the other'
    );
};

subtest 'where one is unknown nothing is said of all' => sub {
    is(of_passes(1 .. 5),                              undef, 'five passes');
    is(of_passes(-3 .. 5),                             undef, 'an interval below zero');
    is(index_of(of_passes(@QUIET), undef),             undef, 'an index');
    is(product(),                                      undef, 'nothing');
    is(Touchstone::Stats::Confidence::limits(7),       undef, 'limits');
    is(Touchstone::Stats::Confidence::confidence(@$_), undef, 'of')
        for [ undef, [ 1, 2 ], 0.1 ], [ 0, [ 0, 2 ], 0.1 ], [ 1, undef, 0.1 ], [ 1, [ 0, 2 ], 0.1 ],
        [ 1, [ 1, 2 ], undef ];
};

done_testing;
