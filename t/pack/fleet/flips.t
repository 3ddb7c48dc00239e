#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Flips of signs, with a published example, all possibilities tried by hand, and the approximation for many
# hosts compared with what trying says.
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);
use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Base::Random qw(normal);
use Touchstone::Pack::Fleet::Stats::BeforeAfter;

sub near {
    my ($got, $expected, $name, $within) = @_;
    return ok(abs($got - $expected) <= $within * abs $expected, $name)
        || diag("got $got, expected $expected");
}

# The chance, by trying one choice of signs after the other.
sub by_hand {
    my (@differences) = @_;
    my $seen          = abs(sum(@differences)) * (1 - 1e-9);
    my $as_far        = 0;
    for my $signs (0 .. 2**@differences - 1) {
        my $sum = 0;
        $sum += ($signs >> $_) & 1 ? -$differences[$_] : $differences[$_] for 0 .. $#differences;
        $as_far++ if abs($sum) >= $seen;
    }
    return $as_far / 2**@differences;
}

subtest 'the crossed maize of Darwin has the chance that Fisher counted' => sub {
    my @maize = (49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48);
    near(Touchstone::Pack::Fleet::Stats::BeforeAfter::chance(@maize), 1726 / 2**15, '1726 of 32768', 1e-12);
};

subtest 'halves that are joined give what trying all signs gives' => sub {
    my $random = Touchstone::Base::Random::generator(7);
    for my $n (1 .. 11) {
        my @differences = map { int(40 * normal($random)) } 1 .. $n;
        near(Touchstone::Pack::Fleet::Stats::BeforeAfter::chance(@differences),
            by_hand(@differences), "$n: @differences", 1e-12);
    }
};

subtest 'differences of one sign have the least chance that there is, however many' => sub {
    for my $n (1, 6, 9, 26, 27, 40) {
        my @differences = map { -0.02 - $_ / 1000 } 1 .. $n;
        my $least       = Touchstone::Pack::Fleet::Stats::BeforeAfter::least($n);
        near($least, 2 / 2**$n, "$n hosts: 2 of 2 ** $n", 1e-12) if $n > 1;
        near(Touchstone::Pack::Fleet::Stats::BeforeAfter::chance(@differences), $least, "$n hosts", 1e-9);
    }
};

subtest 'differences that are 0, or none, are chance' => sub {
    is(Touchstone::Pack::Fleet::Stats::BeforeAfter::chance(),             1, 'none');
    is(Touchstone::Pack::Fleet::Stats::BeforeAfter::chance(0, 0, 0),      1, 'zeros');
    is(Touchstone::Pack::Fleet::Stats::BeforeAfter::chance(1, -1),        1, 'in balance');
    is(Touchstone::Pack::Fleet::Stats::BeforeAfter::chance((1, -1) x 20), 1, 'many in balance');
};

subtest 'many hosts have nearly the chance that trying gives' => sub {
    my $random = Touchstone::Base::Random::generator(11);
    for my $tails (0, 1) {
        for my $shift (0.1, 0.3, 0.5, 0.8) {
            my @differences = map {
                my $wide = $tails ? sqrt(sum(map { normal($random)**2 } 1 .. 3) / 3) : 1;
                normal($random) / $wide + $shift
            } 1 .. 22;
            my $exact = Touchstone::Pack::Fleet::Stats::BeforeAfter::chance(@differences);
            local $Touchstone::Pack::Fleet::Stats::BeforeAfter::MOST_TRIED = 0;
            near(Touchstone::Pack::Fleet::Stats::BeforeAfter::chance(@differences),
                $exact, "shifted by $shift, tails $tails: $exact", 0.1);
        }
    }
};

subtest 'the tail of the normal distribution is that of printed tables' => sub {
    my %table = (0 => 0.5, 1 => 0.1586553, 1.96 => 0.0249979, 3 => 0.001349898, 5 => 2.866516e-7);
    near(Touchstone::Pack::Fleet::Stats::BeforeAfter::normal_above($_), $table{$_}, "above $_", 1e-5)
        for sort keys %table;
};

done_testing;
