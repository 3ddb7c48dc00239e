#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The place of a value among others: printed quantiles of the beta distribution, ties, and how often the
# interval holds the truth.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Near;
use NoWarnings;
use Touchstone::Base::Random qw(normal);
use Touchstone::Pack::Fleet::Stats::BeforeAfter;
use Touchstone::Pack::Fleet::Peers;

# The place of a value that lies above k of n.
sub above {
    my ($k, $n, $error) = @_;
    return Touchstone::Pack::Fleet::Peers::percentile($k - 0.5, $error || 0, [ 0 .. $n - 1 ]);
}

subtest 'a value below all has the interval that n values leave open' => sub {
    for my $n (1, 5, 41) {
        my $place = above(0, $n);
        near($place->{percentile}, 0,                         "$n: none is below", 0);
        near($place->{high},       1 - 0.025**(1 / ($n + 1)), "$n: the upper end", 1e-6);
        near(above($n, $n)->{low}, 0.025**(1 / ($n + 1)),     "$n: above all",     1e-6);
    }
};

subtest 'intervals are those of the beta distribution' => sub {

    # The chance of the ends, summed up term by term.
    my $chance = sub {
        my ($x, $k, $n) = @_;
        my ($sum, $choose) = (0, 1);
        for my $i (0 .. $n + 1) {
            $sum    += $choose * $x**$i * (1 - $x)**($n + 1 - $i) if $i > $k;
            $choose *= ($n + 1 - $i) / ($i + 1);
        }
        return $sum;
    };
    for my $case ([ 7, 41 ], [ 20, 41 ], [ 1, 5 ], [ 30, 60 ]) {
        my ($k, $n) = @$case;
        my $place = above($k, $n);
        near($place->{percentile}, $k / $n, "$k of $n", 1e-12);
        near($chance->($place->{low},  $k, $n), 0.025, "$k of $n: the lower end", 1e-6);
        near($chance->($place->{high}, $k, $n), 0.975, "$k of $n: the upper end", 1e-6);
    }
};

subtest 'equal values count as half, and an error makes the interval wider' => sub {
    my $place = Touchstone::Pack::Fleet::Peers::percentile(2, 0, [ 1, 2, 2, 3 ]);
    near($place->{percentile}, 0.5, 'in the middle', 1e-12);
    my ($sharp, $blunt) = map { above(20, 41, $_) } 0, 6;
    ok($blunt->{low} < $sharp->{low} - 0.05,   'below');
    ok($blunt->{high} > $sharp->{high} + 0.05, 'above');
    is(Touchstone::Pack::Fleet::Peers::percentile(1, 0, []), undef, 'no others, no place');
};

subtest 'the interval holds the truth in about 95 of 100 cases' => sub {
    my $random = Touchstone::Base::Random::generator(3);
    my ($held, $cases) = (0, 400);
    for (1 .. $cases) {
        my $true  = normal($random);
        my $part  = Touchstone::Pack::Fleet::Stats::BeforeAfter::normal_above(abs $true);
        my $place = Touchstone::Pack::Fleet::Peers::percentile($true + 0.3 * normal($random),
            0.3, [ map { normal($random) } 1 .. 20 ]);
        $part = 1 - $part if $true > 0;
        $held++           if $part >= $place->{low} && $part <= $place->{high};
    }
    ok($held >= 0.92 * $cases && $held <= 0.99 * $cases, "$held of $cases");
};

subtest 'thousands of others are no trouble' => sub {
    my $place = above(2500, 10_000);
    near($place->{low},  0.25 - 1.96 * sqrt(0.25 * 0.75 / 10_000), 'lower', 1e-3);
    near($place->{high}, 0.25 + 1.96 * sqrt(0.25 * 0.75 / 10_000), 'upper', 1e-3);
};

done_testing;
