#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Stats::Sequential: looks, what each may spend, and what a p is worth at whichever look.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Base::Random qw(normal);
use Touchstone::Stats::Sequential;

my ($LEVEL, $CORRECTED) = map { Touchstone::Stats::Sequential->can($_) } qw(level corrected);

sub near {
    my ($got, $expected, $name, $part) = @_;
    return ok(abs($got - $expected) <= ($part // 1e-4) * abs $expected, $name)
        || diag("got $got, expected $expected");
}

# The limit of a look in standard deviations.
sub limit {
    return Touchstone::Stats::Sequential::normal_quantile($LEVEL->(@_) / 2);
}

subtest 'the normal distribution is that of the tables' => sub {
    my %above = (
        0   => 0.5,
        1   => 0.158655253931457,
        2   => 0.0227501319481792,
        2.5 => 0.00620966532577613,
        3   => 0.00134989803163009,
        6   => 9.86587645037698e-10,
        10  => 7.61985302416053e-24
    );
    near(Touchstone::Stats::Sequential::normal_above($_), $above{$_}, "above $_", 1e-9)
        for sort { $a <=> $b } keys %above;
    near(Touchstone::Stats::Sequential::normal_above(-1),       1 - $above{1},    'above -1',     1e-12);
    near(Touchstone::Stats::Sequential::normal_quantile(0.025), 1.95996398454005, 'its quantile', 1e-12);
};

subtest 'looks come after a third more rounds each time, the last after the most' => sub {
    is(join(' ', Touchstone::Stats::Sequential::looks(60)), '6 8 10 13 17 22 29 38 50 60', 'of 60');
    is(join(' ', Touchstone::Stats::Sequential::looks(10)), '6 8 10',                      'of 10');
    is(join(' ', Touchstone::Stats::Sequential::looks(4)),  '4',                           'of 4');
    is(join('',  map { Touchstone::Stats::Sequential::is_look($_, 10) ? 1 : 0 } 5 .. 11), '0101010',
        'are due');
};

# These limits of five looks after equal parts stand in the literature of Lan and DeMets's rule, which there
# is applied to each side of 0 with half of alpha.
subtest 'five looks after equal parts have the limits of the literature' => sub {
    no warnings 'redefine';
    local *Touchstone::Stats::Sequential::looks  = sub { 1 .. 5 };
    local *Touchstone::Stats::Sequential::_spent = sub {
        my ($alpha, $n) = @_;
        return 4 *
            Touchstone::Stats::Sequential::normal_above(
            Touchstone::Stats::Sequential::normal_quantile($alpha / 4) * sqrt(5 / $n));
    };
    my @limits = (4.8769, 3.3569, 2.6803, 2.2898, 2.0310);
    near(limit(0.05, $_, 5), $limits[ $_ - 1 ], "look $_") for 1 .. 5;
};

subtest 'one look has the whole level' => sub {
    near($LEVEL->(0.05, 4, 4),  0.05, 'of few rounds');
    near($LEVEL->(0.05, 3, 60), 0.05, 'of a duet that ended before the first');
};

subtest 'early looks spend little, and all together no more than alpha' => sub {
    for my $most (7, 12, 30, 60) {
        my @levels = map { $LEVEL->(0.05, $_, $most) } Touchstone::Stats::Sequential::looks($most);
        my $sum    = 0;
        $sum += $_ for @levels;
        cmp_ok($levels[-1], '<', 0.05,       "$most: the last is below alpha");
        cmp_ok($levels[-1], '>', 0.05 * 0.6, 'by little');
        cmp_ok($sum,        '>', 0.05,       'they overlap, so that their sum may be greater') if @levels > 2;
    }

    # The first look may spend a tenth of a fifth, and four fifths of 2 - 2 Phi(6.198) = 5.7e-10.
    near($LEVEL->(0.05, 6, 60), 0.001, 'six of sixty', 1e-5);
};

# The union of all looks is beyond its limits as often as was to be spent.
subtest 'of sums of equal values one in twenty is ever beyond a limit' => sub {
    my $random = Touchstone::Base::Random::generator(20);
    for my $ends (60, 44) {
        my @looks = ((grep { $_ < $ends } Touchstone::Stats::Sequential::looks(60)), $ends);
        my %limit = map { $_ => limit(0.05, $_, 60) } @looks;
        my ($beyond, $draws) = (0, 6000);
        for (1 .. $draws) {
            my ($sum, $n) = (0, 0);
            for my $look (@looks) {
                $sum += sqrt($look - $n) * normal($random);
                $n = $look;
                if (abs $sum > $limit{$n} * sqrt $n) { $beyond++; last }
            }
        }
        near($beyond / $draws, 0.05, "ended after $ends", 0.15);
    }
};

subtest 'a duet that ended between two looks may spend all that is left' => sub {
    cmp_ok($LEVEL->(0.05, 59, 60), '>', $LEVEL->(0.05, 50, 60), 'more than the look before it');
    cmp_ok($LEVEL->(0.05, 30, 60), '>', 0.04,                   'nearly all where little was spent');
    is($LEVEL->(0.05, 61, 60), $LEVEL->(0.05, 60, 60), 'more rounds than planned are the last look');
};

subtest 'a stricter alpha has stricter levels at every look' => sub {
    for my $n (Touchstone::Stats::Sequential::looks(60), 45) {
        my @levels = map { $LEVEL->($_, $n, 60) } 0.3, 0.1, 0.05, 0.01, 0.001;
        is_deeply(\@levels, [ sort { $b <=> $a } @levels ], "after $n");
    }
};

subtest 'a corrected p is the alpha at which this look would tell a difference' => sub {
    for my $n (10, 22, 45, 60) {
        near($CORRECTED->($LEVEL->($_, $n, 60), $n, 60), $_, "alpha $_ after $n", 0.01)
            for 0.05, 0.03, 0.004, 1e-4;
        near($CORRECTED->($LEVEL->(0.05, $n, 60), $n, 60), 0.05, 'the usual one exactly', 1e-12);
    }
    my @values = map { $CORRECTED->(10**-$_ / 40, 22, 60) } 0 .. 12;
    is_deeply(\@values, [ sort { $b <=> $a } @values ], 'a smaller p is never worth less');
    is($CORRECTED->(0.9, 60, 60), 1, 'at the most 1');
    is($CORRECTED->(0,   6,  60), 0, 'no chance at all stays none');
    cmp_ok($CORRECTED->(1e-9, 60, 60), '>=', 1e-9, 'nor is it below that of one look');
};

done_testing;
