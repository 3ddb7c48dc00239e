# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Byte1984::PiecewiseLine on lines with a known bend.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use List::Util qw(sum);
use Test::More;

use lib 't/lib';
use Near;
use NoWarnings;
use Touchstone::Base::Random qw(normal);
use Touchstone::Record::Json;
use Touchstone::Suite::Byte1984::PiecewiseLine;
use Touchstone::Stats;
use Touchstone::Suite::Published;

# Returns the values at 1 to 6 of a line that bends; `noise` is a share of each value.
sub bent {
    my (%with) = @_;
    return [
        map {
            my $x = $_;
            [ $x, [ map { _value($x, %with) } 1 .. $with{passes} // 3 ] ]
        } @{ $with{x} || [ 1 .. 6 ] }
    ];
}

sub _value {
    my ($x, %with) = @_;
    my $y = $with{first} + $with{before} * ($x - 1);
    $y += ($with{after} - $with{before}) * ($x - $with{bend}) if defined $with{bend} && $x > $with{bend};
    return $y * (1 + ($with{noise} ? $with{noise} * normal($with{random}) : 0));
}

# Returns the sum that a fit minimises, as the module defines it.
sub misses {
    my ($points, $fit) = @_;
    my $sum = 0;
    for my $point (@$points) {
        my ($x, $values) = @$point;
        my $y = $fit->{y} + ($x > $fit->{bend} ? $fit->{after} : $fit->{before}) * ($x - $fit->{bend});
        $sum += sum(map { (($_ - $y) / Touchstone::Stats::median(@$values))**2 } @$values);
    }
    return $sum;
}

subtest 'an exact line has its slope, its intercept and no bend' => sub {
    for my $law ([ 4, 1.5 ], [ 5e-4, 2e-4 ], [ 100, 0 ], [ 100, -7 ], [ 1e80, 1e79 ]) {
        for my $passes (1, 3) {
            my $fit = Touchstone::Suite::Byte1984::PiecewiseLine::fit(
                bent(first => $law->[0], before => $law->[1], passes => $passes));
            near($fit->{$_}, $law->[1], "@$law: $_", 1e-8 * $law->[0]) for qw(slope slope_low slope_high);
            near($fit->{intercept}, $law->[0] - $law->[1], "@$law: intercept", 1e-8 * $law->[0]);
            is_deeply([ $fit->{bend}, $fit->{p}, exists $fit->{before} ], [ undef, 1, '' ], 'no bend');
        }
    }
};

subtest 'an exact hinge is found where it is' => sub {
    for my $bend (2, 3, 3.5, 5) {
        for my $slopes ([ 0.1, 1 ], [ 0, 2 ], [ 1, -0.5 ], [ 2, 2.6 ]) {
            for my $unit ($bend == 3 ? 1e-6 : 1) {
                my $fit = Touchstone::Suite::Byte1984::PiecewiseLine::fit(
                    bent(
                        first  => 4 * $unit,
                        before => $slopes->[0] * $unit,
                        after  => $slopes->[1] * $unit,
                        bend   => $bend
                    )
                );
                my $name = "at $bend, slopes @$slopes, unit $unit";
                near($fit->{$_}, $bend,                "$name: $_", 0.02) for qw(bend bend_low bend_high);
                near($fit->{$_}, $slopes->[0] * $unit, "$name: $_", 1e-6 * $unit)
                    for qw(before before_low before_high);
                near($fit->{$_}, $slopes->[1] * $unit, "$name: $_", 1e-6 * $unit)
                    for qw(after after_low after_high);
                cmp_ok($fit->{p}, '<', 1e-9, "$name: sure");
            }
        }
    }
};

subtest 'a bend between the positions that are tried is found nearby' => sub {
    near(
        Touchstone::Suite::Byte1984::PiecewiseLine::fit(
            bent(first => 4, before => 0.1, after => 1, bend => 2.345, passes => 9)
        )->{bend},
        2.345,
        'to a hundredth',
        0.01
    );
    my $wide = Touchstone::Suite::Byte1984::PiecewiseLine::fit(
        bent(x => [ 1, 2, 4, 8, 16, 32 ], first => 4, before => 0.1, after => 1, bend => 8));
    near($wide->{bend}, 8, 'any x will do', 0.1);
    my $many = Touchstone::Suite::Byte1984::PiecewiseLine::fit(
        bent(x => [ 1 .. 60 ], first => 4, before => 0.1, after => 1, bend => 30, passes => 1));
    near($many->{bend}, 30, 'and any number', 0.2);
};

subtest 'no hinge near the one that is found misses less' => sub {
    my $random = Touchstone::Base::Random::generator(7);
    for my $bend (2, 2.7, 4) {
        my $points =
            bent(first => 3, before => 0.3, after => 1.5, bend => $bend, noise => 0.03, random => $random);
        my $fit   = Touchstone::Suite::Byte1984::PiecewiseLine::fit($points);
        my %found = (map({ $_ => $fit->{$_} } qw(bend before after)), y => 0);

        # Computes the best height from two others, since the sum of squares is a parabola of the height.
        my ($at0, $at1, $at2) = map { misses($points, { %found, y => $_ }) } 0 .. 2;
        $found{y} = (3 * $at0 - 4 * $at1 + $at2) / (2 * ($at0 - 2 * $at1 + $at2));
        my $least = misses($points, \%found);
        my @better;
        for my $step (0.02, 0.1, 0.3) {
            for my $way (0 .. 80) {
                my %other = %found;
                $other{ (qw(bend before after y))[$_] } += $step * (int($way / 3**$_) % 3 - 1) for 0 .. 3;
                push @better, "$step $way"
                    if $other{bend} >= 2 && $other{bend} <= 5 && misses($points, \%other) < $least - 1e-6;
            }
        }
        is("@better", '', "bend at $bend");
    }
};

subtest 'with noise the truth is in the intervals' => sub {
    my $random = Touchstone::Base::Random::generator(3);
    for my $cpus (2, 3.5, 4) {
        my %truth = (bend => $cpus, before => 0.3, after => 1.5);
        my (%held, @width);
        for my $try (1 .. 8) {
            my $fit = Touchstone::Suite::Byte1984::PiecewiseLine::fit(
                bent(first => 3, %truth, noise => 0.03, passes => 6, random => $random));
            ok(defined $fit->{bend}, "try $try at $cpus: it bends") or next;
            $held{$_} += $fit->{"${_}_low"} <= $truth{$_} && $truth{$_} <= $fit->{"${_}_high"} ? 1 : 0
                for sort keys %truth;
            push @width, $fit->{bend_high} - $fit->{bend_low};
        }
        cmp_ok($held{$_},                         '>=', 6, "$_ at $cpus") for sort keys %truth;
        cmp_ok(Touchstone::Stats::median(@width), '<',  1, 'an interval of the bend that says something');
    }
};

subtest 'a line without a bend is seldom called bent' => sub {
    my $random = Touchstone::Base::Random::generator(5);
    my @fits   = map {
        Touchstone::Suite::Byte1984::PiecewiseLine::fit(
            bent(first => 3, before => 1, noise => 0.03, passes => $_ % 4 + 1, random => $random))
    } 1 .. 100;
    cmp_ok(scalar(grep { defined $_->{bend} } @fits), '<=', 2, 'with 3 % noise in 2 of 100 cases at most');
    cmp_ok(scalar(grep { $_->{slope_low} <= 1 && 1 <= $_->{slope_high} } @fits),
        '>=', 89, 'its slope is in the interval');
};

subtest 'a curve of a per cent is no bend, however sure it is' => sub {
    my $random = Touchstone::Base::Random::generator(9);
    my $points = [
        map {
            my $x = $_;
            [ $x, [ map { (2 + $x + 0.01 * $x * $x) * (1 + 0.001 * normal($random)) } 1 .. 20 ] ]
        } 1 .. 6
    ];
    my $fit = Touchstone::Suite::Byte1984::PiecewiseLine::fit($points);
    cmp_ok($fit->{p}, '<', 0.01, 'no straight line');
    is($fit->{bend}, undef, 'but no bend');
};

subtest 'the machines of 1984 had one CPU, and the line of the VAX is straight' => sub {
    my $rows = Touchstone::Suite::Published::load(
        dirname(dirname(dirname(__FILE__))) . '/pgms/byte1984-multi.csv',
        text  => [ 'machine', 'system' ],
        notes => ['note']
    );
    my %fit = map {
        my $row = $_;
        $row->{machine} => Touchstone::Suite::Byte1984::PiecewiseLine::fit(
            [
                map {
                    [ $_, [ grep { defined } $row->{"n$_"} ] ]
                } 1 .. 6
            ]
        )
    } @$rows;
    is($fit{'VAX-11/780'}{bend}, undef, 'no bend');
    near($fit{'VAX-11/780'}{slope}, 1.8, 'about 1.8 seconds for each further shell', 0.2);
    is($fit{'Apple Lisa'}{bend}, undef, 'nor of the Lisa');
    is_deeply($fit{Omnibyte}, { why => 'too few' }, 'without figures there is no line');
};

subtest 'where there is no line to see it says why' => sub {
    my %why = (
        'too few' => [
            [],
            [ [ 1, [ 1 .. 9 ] ] ],
            [ map { [ $_, [ 1, 2, 3 ] ] } 1 .. 3 ],
            [ map { [ $_, [$_] ] } 1 .. 5 ],
            [ (map { [ $_, [ 1, 2, 3 ] ] } 1 .. 3), [ 4, [] ] ]
        ],
        'a value is not positive' => [
            map {
                my $odd = $_;
                [ (map { [ $_, [$_] ] } 1 .. 6), [ 3, [$odd] ] ]
            } 0,
            -1, undef,
            -sin 9**9**9
        ],
        'the values are too far apart' => [ [ map { [ $_, [ $_ % 2 ? 1 : 1e7 ] ] } 1 .. 6 ] ],
        'a value is out of range'      => [
            map {
                my $odd = $_;
                [ (map { [ $_, [$_] ] } 1 .. 6), [ 3, [$odd] ] ]
            } 1e-200,
            1e200,
            9**9**9
        ],
    );
    for my $why (sort keys %why) {
        is_deeply(Touchstone::Suite::Byte1984::PiecewiseLine::fit($_), { why => $why }, $why)
            for @{ $why{$why} };
    }
};

# Whatever the points are, the results must be finite numbers in order, which JSON can hold.
subtest 'odd points do no harm' => sub {
    my $random = Touchstone::Base::Random::generator(8);
    my @odd    = (
        [ map { [ $_,     [5] ] } 1 .. 6 ],
        [ map { [ $_,     [1e99] ] } 1 .. 6 ],
        [ map { [ $_,     [1e-99] ] } 1 .. 6 ],
        [ map { [ $_,     [ $_ % 2 ? 1e99 : 1e-99 ] ] } 1 .. 6 ],
        [ map { [ $_,     [ 1e-50, 1, 1e50 ] ] } 1 .. 6 ],
        [ map { [ $_,     [ 10**$_ ] ] } 1 .. 6 ],
        [ map { [ $_,     [ 10**-$_ ] ] } 1 .. 6 ],
        [ map { [ $_,     [ $_ % 2 ? 1 : 1e6 ] ] } 1 .. 6 ],
        [ map { [ $_,     [ 1, 2 ] ] } 999_997 .. 1_000_000 ],
        [ map { [ 10**$_, [ 1, 2 ] ] } 0 .. 9 ],
        (
            map {
                [
                    map {
                        [ $_, [ map { exp(20 * $random->() - 10) } 1 .. 2 ] ]
                    } 1 .. 6
                ]
            } 1 .. 10
        ),
    );
    for my $i (0 .. $#odd) {
        my $fit = Touchstone::Suite::Byte1984::PiecewiseLine::fit($odd[$i]);
        my @wrong =
            grep { defined $fit->{$_} && !(abs $fit->{$_} < 1e110) } sort grep { $_ ne 'why' } keys %$fit;
        push @wrong, grep {
            defined $fit->{$_} && !($fit->{"${_}_low"} <= $fit->{$_} && $fit->{$_} <= $fit->{"${_}_high"})
        } qw(slope bend before after);
        is("@wrong", '', "set $i");
        ok(eval { Touchstone::Record::Json::encode($fit) }, 'JSON') or diag($@);
    }
    my $equal = Touchstone::Suite::Byte1984::PiecewiseLine::fit($odd[0]);
    is_deeply([ @$equal{qw(bend p)} ], [ undef, 1 ], 'equal values are a straight line');
    near($equal->{slope}, 0, 'without a slope', 1e-12);
    my $points = [ map { [ $_, [ $_ + 1, $_ + 1.1 ] ] } 1 .. 6 ];
    my $halves = [
        map {
            my $p = $_;
            map { [ $p->[0], [$_] ] } @{ $p->[1] }
        } @$points
    ];
    is_deeply(
        Touchstone::Suite::Byte1984::PiecewiseLine::fit($halves),
        Touchstone::Suite::Byte1984::PiecewiseLine::fit($points),
        'points of one x are one point'
    );
    near(
        Touchstone::Suite::Byte1984::PiecewiseLine::fit([ reverse @$halves ])->{slope},
        Touchstone::Suite::Byte1984::PiecewiseLine::fit($points)->{slope},
        'in whatever order'
    );
};

done_testing;
