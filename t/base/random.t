# SPDX-License-Identifier: GPL-2.0-or-later
# Random gives a published value of its generator, and normal numbers.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Base::Random qw(normal);

subtest 'it is the generator whose ten thousandth number from state 1 is 399268537' => sub {
    my $random = Touchstone::Base::Random::generator(0);

    # The generator has skipped its first five numbers.
    my $last;
    $last = $random->() for 6 .. 10_000;
    is(sprintf('%.0f', $last * 2147483646 + 1), 399268537, 'as the standard of C++ has it');
};

subtest 'the numbers follow from the seed' => sub {
    my $numbers = sub {
        my $random = Touchstone::Base::Random::generator($_[0]);
        join ' ', map { $random->() } 1 .. 5;
    };
    is($numbers->($_), $numbers->($_), "seed $_ twice") for 0, 1, 4711, 999_999_999;
    my %seen = map { $numbers->($_) => 1 } 0 .. 99;
    is(scalar keys %seen,      100,           'a hundred seeds, a hundred rows');
    is($numbers->(2147483646), $numbers->(0), 'larger seeds begin again');
};

subtest 'the numbers are even from 0 to 1' => sub {
    my $random  = Touchstone::Base::Random::generator(5);
    my @numbers = map { $random->() } 1 .. 10_000;
    is(scalar(grep { $_ < 0 || $_ >= 1 } @numbers), 0, 'none is outside');
    my %in;
    $in{ int($_ * 10) }++ for @numbers;
    is(join(' ', grep { abs($in{$_} - 1000) > 150 } sort keys %in), '', 'a tenth in each tenth');
};

subtest 'normal numbers lie as the tables have it' => sub {
    my $random  = Touchstone::Base::Random::generator(6);
    my @numbers = map { normal($random) } 1 .. 10_000;
    my %below   = (-1.96 => 250, -1 => 1587, 0 => 5000, 1 => 8413, 1.96 => 9750);
    for my $limit (sort { $a <=> $b } keys %below) {
        my $count = grep { $_ < $limit } @numbers;
        cmp_ok(abs($count - $below{$limit}), '<', 150, "$count of 10 000 below $limit");
    }
};

subtest 'two generators do not disturb each other' => sub {
    my ($one, $other, $alone) = map { Touchstone::Base::Random::generator(7) } 1 .. 3;
    my @alone = map { $alone->() } 1 .. 10;
    my @mixed = map { $other->(); $one->() } 1 .. 10;
    is("@mixed", "@alone", 'each has its own state');
};

done_testing;
