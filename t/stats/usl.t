# SPDX-License-Identifier: GPL-2.0-or-later
# Usl with laws whose parameters are known. t/bench/usl.pl measures how often its intervals hold the truth.
use 5.014;
use strict;
use warnings;

use List::Util qw(min sum);
use Test::More;

use lib 't/lib';
use Near;
use NoWarnings;
use Amount;
use Touchstone::Base::Random;
use Touchstone::Record::Json;
use Touchstone::Stats::Usl;

my @COPIES = (1, 2, 4, 8, 16);

sub rate_of {
    my ($single, $contention, $coherency, $n) = @_;
    return $single * $n / (1 + $contention * ($n - 1) + $coherency * $n * ($n - 1));
}

# Returns points without noise, with one pass or several equal ones.
sub exact {
    my ($law, $copies, $passes) = @_;
    return [ map { { copies => $_, rates => [ (rate_of(@$law, $_)) x ($passes // 6) ] } } @$copies ];
}

sub points {
    my %rates = @_;
    return [ map { { copies => $_, rates => $rates{$_} } } sort { $a <=> $b } keys %rates ];
}

# Returns the sum of the squares of a law's relative misses, as the module defines it.
sub misses {
    my ($fit, $points) = @_;
    return sum(
        map {
            my $p = $_;
            (1 - $p->{rates}[0] / rate_of(@$fit{qw(single contention coherency)}, $p->{copies}))**2
        } @$points
    );
}

subtest 'exact data give their exact parameters' => sub {

    # Each law has some of them in turn, or all.
    my @lists = (
        \@COPIES,
        [ 1 .. 4 ],
        [ 1, 2, 4,   8,  16, 32, 64, 128, 256 ],
        [ 4, 8, 12,  16, 20 ],
        [ 1, 3, 100, 1000 ]
    );
    for my $law (
        [ 1000, 0.03, 0.001 ],
        [ 5e6,  0.2,  0.0001 ],
        [ 0.25, 0.5,  0.05 ],
        [ 7,    0,    0.002 ],
        [ 7,    0.1,  0 ],
        [ 3,    0.9,  0 ],
        [ 1,    2,    0.01 ]
    ) {
        push @lists, shift @lists;
        for my $copies (@lists[ 0 .. Amount::of(1, $#lists) ]) {
            my $fit  = Touchstone::Stats::Usl::fit(exact($law, $copies));
            my $name = "@$law with @$copies";
            near($fit->{single},     $law->[0], "$name: single",           1e-6 * $law->[0]);
            near($fit->{contention}, $law->[1], "$name: contention",       1e-6 * $law->[1] + 1e-9);
            near($fit->{coherency},  $law->[2], "$name: coherency",        1e-6 * $law->[2] + 1e-12);
            near($fit->{r2},         1,         "$name: all is explained", 1e-9);
            is($fit->{points}, @$copies, "$name: points");
            near($fit->{contention_high} - $fit->{contention_low}, 0, "$name: nothing is uncertain", 1e-6);
        }
    }
};

subtest 'the peak is where the law has its maximum' => sub {
    my $fit = Touchstone::Stats::Usl::fit(exact([ 1000, 0.03, 0.001 ], \@COPIES));
    near($fit->{best}, sqrt(0.97 / 0.001), 'the square root of (1 - contention) / coherency', 1e-6);
    near($fit->{peak}, rate_of(1000, 0.03, 0.001, $fit->{best}), 'its rate',                  1e-6);
    my $falling = Touchstone::Stats::Usl::fit(exact([ 50, 0.1, 0.1 ], \@COPIES));
    near($falling->{best}, 3, 'retrograde: between 2 and 4, where the points turn', 1e-6);
    near($falling->{$_},   3, "retrograde: $_", 1e-6) for qw(best_low best_high);
    my $worse = Touchstone::Stats::Usl::fit(exact([ 50, 0.5, 2 ], \@COPIES));
    is($worse->{best}, 1, 'never below one copy');
    near($worse->{peak}, 50, 'the peak then is the rate of one', 1e-6);
    my $lock = Touchstone::Stats::Usl::fit(exact([ 50, 3, 0 ], \@COPIES));
    is(
        "$lock->{best} $lock->{best_low} $lock->{best_high}",
        '1 1 1',
        'two do less than one: one is best, also without coherency'
    );
};

subtest 'linear scaling has no contention, no coherency and no peak' => sub {
    for my $single (1, 1 / 3, 1e-9, 7e12) {
        my $fit = Touchstone::Stats::Usl::fit(exact([ $single, 0, 0 ], \@COPIES));
        is("$fit->{contention} $fit->{coherency}", '0 0', "$single each");
        is_deeply([ @$fit{qw(best peak best_low best_high)} ], [ (undef) x 4 ], 'no peak');
        is_deeply(
            [ @$fit{qw(contention_low contention_high coherency_low coherency_high)} ],
            [ (0) x 4 ],
            'and nothing uncertain'
        );
        near($fit->{single}, $single, 'single');
    }
};

subtest 'what grows faster than linear is held at zero, and its interval says that this fits badly' => sub {
    my $fit = Touchstone::Stats::Usl::fit(points(1 => [100], 2 => [300], 4 => [700], 8 => [1500]));
    is("$fit->{contention} $fit->{coherency}", '0 0', 'neither is negative');
    cmp_ok($fit->{contention_high} // 9e9, '>', 0.01, 'there may be contention');
};

subtest 'of the allowed laws it finds the one that misses least' => sub {
    my $random = Touchstone::Base::Random::generator(11);
    my %seen;
    for my $try (1 .. Amount::of(18, 40)) {
        my @law = (100, $try % 3 ? 0 : 0.1, $try % 2 ? 0 : 0.004);
        my $points =
            [ map { { copies => $_, rates => [ rate_of(@law, $_) * (0.85 + 0.3 * $random->()) ] } } @COPIES ];
        my $fit = Touchstone::Stats::Usl::fit($points);
        $seen{ ($fit->{contention} > 0 ? 'contention ' : '') . ($fit->{coherency} > 0 ? 'coherency' : '') }++;
        my $least = misses($fit, $points);
        my @better;
        for my $step (1e-4, 1e-3, 1e-2, 0.1) {
            for my $s (-1, 0, 1) {
                for my $c (-1, 0, 1) {
                    for my $single (-1, 0, 1) {
                        my %other = (
                            contention => $fit->{contention} + $s * $step,
                            coherency  => $fit->{coherency} + $c * $step / 20,
                            single     => $fit->{single} * (1 + $single * $step)
                        );
                        push @better, "$step $s $c $single"
                            if min(@other{qw(contention coherency)}) >= 0
                            && misses(\%other, $points) < $least - 1e-9;
                    }
                }
            }
        }
        is("@better", '', "set $try: nothing near it is better");
    }
    is(
        join(', ', map { "'$_'" } sort keys %seen),
        "'', 'coherency', 'contention ', 'contention coherency'",
        'all four kinds of law occurred'
    );
};

subtest 'intervals hold the truth and grow with noise and with misses' => sub {
    my $random = Touchstone::Base::Random::generator(3);
    my $noisy  = sub {
        my ($noise, $miss) = @_;
        my @moved = (1 + $miss, 1 - $miss, 1 + $miss, 1 - $miss, 1 + $miss);
        return [
            map {
                my $i = $_;
                {
                    copies => $COPIES[$i],
                    rates  => [
                        map {
                            rate_of(1000, 0.05, 0.002, $COPIES[$i]) *
                                $moved[$i] *
                                (1 + $noise * ($random->() - 0.5))
                        } 1 .. 6
                    ]
                }
            } 0 .. 4
        ];
    };
    my @width;
    for my $kind ([ 0.01, 0 ], [ 0.1, 0 ], [ 0.01, 0.05 ]) {
        my $fit = Touchstone::Stats::Usl::fit($noisy->(@$kind));
        ok($fit->{contention_low} <= 0.05 && 0.05 <= $fit->{contention_high},
            "contention, noise and miss @$kind");
        ok($fit->{coherency_low} <= 0.002 && 0.002 <= $fit->{coherency_high},
            "coherency, noise and miss @$kind");
        ok(
            $fit->{best_low} <= $fit->{best}
                && (!defined $fit->{best_high} || $fit->{best} <= $fit->{best_high}),
            'the peak is in its interval'
        );
        push @width, $fit->{contention_high} - $fit->{contention_low};
    }
    cmp_ok($width[1], '>', 3 * $width[0], 'ten times the noise');
    cmp_ok($width[2], '>', 3 * $width[0], 'points beside the law, though their passes agree');
};

subtest 'the same points give the same bytes' => sub {
    my $points = points(1 => [ 10, 11, 9 ], 2 => [ 19, 20, 21 ], 4 => [ 33, 36, 35 ], 8 => [ 50, 55, 53 ]);
    my $text   = sub { Touchstone::Record::Json::encode_line(Touchstone::Stats::Usl::fit($points, @_)) };
    is($text->(), $text->(), 'twice');
    is($text->(), $text->(seed => 1), 'seed 1 when nothing is said');
    isnt($text->(), $text->(seed => 2), 'another seed, other resamples');
    is(Touchstone::Record::Json::encode_line(Touchstone::Stats::Usl::fit([ reverse @$points ])),
        $text->(), 'in whatever order');
    my $halves = [
        map {
            my $p = $_;
            map { { copies => $p->{copies}, rates => $_ } } [ $p->{rates}[0] ], [ @{ $p->{rates} }[ 1, 2 ] ]
        } @$points
    ];
    is(Touchstone::Record::Json::encode_line(Touchstone::Stats::Usl::fit($halves)),
        $text->(), 'points of one copy count are one point');
    is_deeply($points->[0], { copies => 1, rates => [ 10, 11, 9 ] }, 'and the points are left alone');
};

subtest 'where there is no law it says why' => sub {
    my @good  = (1 => [1], 2 => [2], 4 => [3]);
    my @table = (
        [ 'it needs 4 copy counts up to the CPUs, this run has 0', [] ],
        [ 'it needs 4 copy counts up to the CPUs, this run has 3', points(@good) ],
        [ 'it needs 4 copy counts up to the CPUs, this run has 1', [ ({ copies => 2, rates => [1] }) x 9 ] ],
        [ 'no rates with 8 copies',                                points(@good, 8 => []) ],
        [ 'no rates with 8 copies',                                [ @{ points(@good) }, { copies => 8 } ] ],
        [ 'a rate with 1 copy is not above zero',                  points(@good, 1 => [ 1, 0 ], 8 => [1]) ],
        [ 'a rate with 8 copies is not above zero',                points(@good, 8 => [-1]) ],
        [ 'a rate with 8 copies is not above zero',                points(@good, 8 => [undef]) ],
        [ 'a rate with 8 copies is not above zero',                points(@good, 8 => [ -sin 9**9**9 ]) ],
        [ 'a rate with 8 copies is out of range',                  points(@good, 8 => [ 9**9**9 ]) ],
        [ 'a rate with 8 copies is out of range',                  points(@good, 8 => [1e-200]) ],
        [ 'the rates are too far apart',                           points(@good, 8 => [1e15]) ],
        [
            'the rates do not follow the law',
            points(8 => [8], 9 => [ 9 / 3 ], 10 => [ 10 / 5 ], 11 => [ 11 / 7 ])
        ],
    );
    is_deeply(Touchstone::Stats::Usl::fit($_->[1]), { why => $_->[0] }, $_->[0]) for @table;
};

# Whatever the points are, the results must be finite numbers in order, which JSON can hold.
subtest 'odd points do no harm' => sub {
    my $random = Touchstone::Base::Random::generator(8);
    my @odd    = (
        points(map { $_ => [5] } 1,              2, 4, 8),
        points(map { $_ => [1e99] } 1,           2, 4, 8),
        points(map { $_ => [ 1e-99, 1e-98 ] } 1, 2, 4, 8),
        points(1 => [1e6],      2 => [1],        4 => [1],        8 => [1e6]),
        points(1 => [1],        2 => [1e6],      4 => [1],        8 => [1e6]),
        points(1 => [1],        2 => [1e7],      4 => [1e8],      8 => [1e9]),
        points(1 => [1e9],      2 => [1e6],      4 => [1e3],      8 => [10]),
        points(1 => [ 1, 1e8 ], 2 => [ 1, 1e8 ], 4 => [ 1, 1e8 ], 8 => [ 1, 1e8 ]),
        points(map { $_ => [1] } 999_997 .. 1_000_000),
        (
            map {
                points(
                    map {
                        my $n = $_;
                        $n => [ map { exp(20 * $random->() - 10) } 1 .. 1 + 3 * $random->() ]
                    } 1,
                    2, 3,
                    4 + int 9 * $random->()
                )
            } 1 .. Amount::of(12, 50)
        ),
    );
    for my $i (0 .. $#odd) {
        my $fit = Touchstone::Stats::Usl::fit($odd[$i]);
        my @wrong =
            grep { !defined $fit->{why} && defined $fit->{$_} && !($fit->{$_} < 1e200) } sort keys %$fit;
        push @wrong, grep {
                   ($fit->{$_} // 9e99) < ($fit->{"${_}_low"} // 9e99)
                || ($fit->{$_} // 9e99) >
                ($fit->{"${_}_high"} // 9e99)
        } qw(contention coherency best);
        is("@wrong", '', "set $i");
        ok(eval { Touchstone::Record::Json::encode($fit) }, 'JSON') or diag($@);
    }
    my $equal = Touchstone::Stats::Usl::fit($odd[0]);
    near($equal->{contention}, 1, 'equal rates are one copy at a time');
    is_deeply(
        [ @$equal{qw(coherency best r2)} ],
        [ 0, undef, undef ],
        'no coherency, no peak, and nothing to explain'
    );
};

done_testing;
