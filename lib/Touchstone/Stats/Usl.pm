# SPDX-License-Identifier: GPL-2.0-or-later
# Stats::Usl - the Universal Scalability Law, fitted to what several copies did together:
#
#   X(N) = single N / (1 + contention (N - 1) + coherency N (N - 1))
#
# Contention is the part of the work that copies do one after the other. Coherency is what each copy costs
# each other one; with it there is a peak, beyond which more copies do less.
package Touchstone::Stats::Usl;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum min max);

use Touchstone::Base::Random qw(normal);
use Touchstone::Base::Text qw(copies);
use Touchstone::Stats qw(mean median);

# The law has three parameters, and it takes one point more to see whether it describes anything.
our $LEAST_POINTS = 4;
our $RESAMPLES    = 1000;
my @TAILS = (0.025, 0.975);

# Values beyond these are no measurements, and their squares have no digits left.
my ($SMALLEST, $LARGEST, $MOST_RATIO) = (1e-100, 1e100, 1e9);

# A change of a rate by less than this part is a rounding error.
my $NOTHING = 1e-9;

# A resampled point is moved by no more than this, as a logarithm: it is far beyond any percentile and keeps
# exp finite.
my $MOST_MOVED = 10;
my $INFINITE   = 9**9**9;

# Fits points [{ copies => N, rates => [the rate of all copies together in each pass] }, ...], in any unit.
# With `rough` it leaves out the intervals, which take most of the time. Returns { why => 'text' } where
# there is no law to see, otherwise:
#
#   contention, coherency
#   single                               the rate of one copy
#   best                                 the copies at the peak; undef without one
#   peak                                 the rate there
#   contention_low, contention_high, coherency_low, coherency_high, best_low, best_high
#                                        95 % intervals; undef: no limit was seen
#   r2                                   undef when all rates are equal
#   points
sub fit {
    my ($points, %with) = @_;
    my %rates;
    push @{ $rates{ $_->{copies} } }, @{ $_->{rates} || [] } for @$points;
    my @copies = sort { $a <=> $b } keys %rates;
    my $why    = _obstacle(\%rates, @copies);
    return { why => $why } if defined $why;

    # Rates are those of one copy in units of the first, and the terms of the law are in units of the last,
    # so all figures are near 1.
    my $unit  = median(@{ $rates{ $copies[0] } }) / $copies[0];
    my @rates = map {
        my $n = $_;
        [ map { $_ / $n / $unit } @{ $rates{$n} } ]
    } @copies;
    my $most  = $copies[-1];
    my $terms = [ map { [ ($_ - 1) / ($most - 1), $_ * ($_ - 1) / ($most * ($most - 1)) ] } @copies ];
    my @found = map { median(@$_) } @rates;
    my $law   = _law($terms, \@found);
    return { why => 'the rates do not follow the law' } if $law->[0] <= 0;
    my %fit = (_parameters($law, $most), points => scalar @copies);
    $fit{r2} =
        _explained([ map { $copies[$_] * $found[$_] } 0 .. $#copies ], [ map { rate(\%fit, $_) } @copies ]);
    return _in_unit($unit, %fit) if $with{rough};
    my @misses = map { 1 - $found[$_] * _time($law, $terms->[$_]) } 0 .. $#copies;
    my $laws   = _resampled(
        \@rates, $terms,
        random  => Touchstone::Base::Random::generator($with{seed} // 1),
        misses  => \@misses,
        freedom => @copies - @$law
    );
    return _in_unit($unit, %fit, _intervals(\%fit, $laws, $most));
}

sub _in_unit {
    my ($unit, %fit) = @_;
    $_ *= $unit for grep { defined } @fit{qw(single peak)};
    return \%fit;
}

# Returns why there can be no fit, or undef.
sub _obstacle {
    my ($rates, @copies) = @_;
    return "it needs $LEAST_POINTS copy counts up to the CPUs, this run has " . @copies
        if @copies < $LEAST_POINTS;
    my @each;
    for my $n (@copies) {
        my $copies = copies($n);
        return "no rates with $copies"                 if !@{ $rates->{$n} };
        return "a rate with $copies is not above zero" if grep { !defined $_ || !($_ > 0) } @{ $rates->{$n} };
        return "a rate with $copies is out of range"
            if grep { $_ < $SMALLEST || $_ > $LARGEST } @{ $rates->{$n} };
        push @each, map { $_ / $n } @{ $rates->{$n} };
    }
    return 'the rates are too far apart' if max(@each) / min(@each) > $MOST_RATIO;
    return;
}

# Returns [1 / single, contention / single, coherency / single]. In these N / X, the time that all copies
# take for one piece of work each, is linear. Errors of rates are relative, so the fit makes the squares of
# relative misses least: time x rate against 1. Eliminating the first figure leaves the normal equations (m11
# m12; m12 m22) = (k1; k2) for the two others, which may not be negative. Where their solution is negative,
# one of them or both are 0 in the answer: the problem is convex, so the best of these faces is the answer.
sub _law {
    my ($terms, $each) = @_;
    my ($s00, $s01, $s02, $s11, $s12, $s22, $k0, $k1, $k2) = (0) x 9;
    for my $i (0 .. $#$each) {
        my $u = $each->[$i];
        my ($v, $w) = ($u * $terms->[$i][0], $u * $terms->[$i][1]);
        $s00 += $u * $u;
        $s01 += $u * $v;
        $s02 += $u * $w;
        $s11 += $v * $v;
        $s12 += $v * $w;
        $s22 += $w * $w;
        $k0  += $u;
        $k1  += $v;
        $k2  += $w;
    }
    my ($m11, $m12, $m22) = ($s11 - $s01 * $s01 / $s00, $s12 - $s01 * $s02 / $s00, $s22 - $s02 * $s02 / $s00);
    $k1 -= $s01 * $k0 / $s00;
    $k2 -= $s02 * $k0 / $s00;
    my $determinant = $m11 * $m22 - $m12 * $m12;
    my ($x, $y) = (-1, -1);
    ($x, $y) = (($m22 * $k1 - $m12 * $k2) / $determinant, ($m11 * $k2 - $m12 * $k1) / $determinant)
        if $m11 > 0 && $determinant > 1e-13 * $m11 * $m22;
    if ($x < 0 || $y < 0) {

        # These are the amounts that each figure alone takes from the sum of squares.
        my ($by_x, $by_y) =
            ($k1 > 0 && $m11 > 0 ? $k1 * $k1 / $m11 : 0, $k2 > 0 && $m22 > 0 ? $k2 * $k2 / $m22 : 0);
        ($x, $y) = $by_x == 0 && $by_y == 0 ? (0, 0) : $by_x >= $by_y ? ($k1 / $m11, 0) : (0, $k2 / $m22);
    }
    my $first = ($k0 - $s01 * $x - $s02 * $y) / $s00;
    return [ $first, map { $_ > $NOTHING * $first ? $_ : 0 } $x, $y ];
}

sub _time {
    my ($law, $terms) = @_;
    return $law->[0] + $law->[1] * $terms->[0] + $law->[2] * $terms->[1];
}

# Returns the parameters of a law. Its terms are in units of the terms of the most copies.
sub _parameters {
    my ($law, $most) = @_;
    my ($first, $x, $y) = @$law;
    my %is = (
        single     => 1 / $first,
        contention => $x / $first / ($most - 1),
        coherency  => $y / $first / ($most * ($most - 1))
    );
    $is{best} = _best(@is{qw(contention coherency)});
    $is{peak} = defined $is{best} ? rate(\%is, $is{best}) : undef;
    return %is;
}

# A contention above 1 means that two copies do less than one.
sub _best {
    my ($contention, $coherency) = @_;
    return 1 if $contention > 1 + $NOTHING;
    return   if $coherency == 0;
    return $contention >= 1 ? 1 : max(1, sqrt((1 - $contention) / $coherency));
}

# Returns the rate of all copies together that a fit predicts.
sub rate {
    my ($law, $n) = @_;
    return $law->{single} * $n / (1 + $law->{contention} * ($n - 1) + $law->{coherency} * $n * ($n - 1));
}

# Returns r2, the part of the squared differences between the rates that the law explains.
sub _explained {
    my ($fit, $fitted) = @_;
    my $mean = mean(@$fit);
    my $all  = sum(map { ($_ - $mean)**2 } @$fit);
    return if $all <= ($NOTHING * $mean)**2;
    return 1 - sum(map { ($fit->[$_] - $fitted->[$_])**2 } 0 .. $#$fit) / $all;
}

# Returns laws of resampled points. Two things make a law uncertain, and the passes show only the first. The
# passes of a point differ; and points may be far from any law, because the machine follows none (clocks fall
# with load, caches fill at once) or because all passes of a point met the same disturbance. So each median
# of resampled passes is moved once more, by as much as the misses of the law exceed what the differences
# between passes explain. The few misses tell little about their size, so the moves follow Student's
# distribution. t/bench/usl.pl: 96 to 99 % of the intervals hold the truth where points follow the law, 90 to
# 96 % where points miss it by 3 %; without this step fewer than a third of the latter did.
sub _resampled {
    my ($rates, $terms, %with) = @_;
    my ($random, $freedom) = @with{qw(random freedom)};
    my @medians = map { _medians($random, @$_) } @$rates;
    my $noise   = mean(map { _relative_variance($_) } @medians);
    my $excess  = sum(map { $_ * $_ } @{ $with{misses} }) / $freedom - $noise;
    my @laws;
    for my $k (0 .. $RESAMPLES - 1) {
        my @each = map { $_->[$k] } @medians;
        if ($excess > $NOTHING**2) {
            my $size =
                sqrt($excess * $freedom / max($NOTHING, sum(map { normal($random)**2 } 1 .. $freedom)));
            $_ *= exp(max(-$MOST_MOVED, min($MOST_MOVED, $size * normal($random)))) for @each;
        }
        push @laws, _law($terms, \@each);
    }
    return \@laws;
}

# Returns medians of rates that are drawn with replacement.
sub _medians {
    my ($random, @rates) = @_;
    return [ (@rates) x $RESAMPLES ] if @rates == 1;
    return [
        map {
            median(map { $rates[ @rates * $random->() ] } @rates)
        } 1 .. $RESAMPLES
    ];
}

sub _relative_variance {
    my ($values) = @_;
    my $mean = mean(@$values);
    return sum(map { ($_ / $mean - 1)**2 } @$values) / @$values;
}

# The intervals are percentiles of the laws, widened where needed to hold the fit itself.
sub _intervals {
    my ($fit, $laws, $most) = @_;
    my (%of, %interval);
    for my $law (@$laws) {

        # Work takes no time alone in this law, so any contention would do.
        my %is =
            $law->[0] > 0
            ? _parameters($law, $most)
            : (contention => $INFINITE, coherency => $INFINITE, best => 1);
        push @{ $of{$_} }, $is{$_} // $INFINITE for qw(contention coherency best);
    }
    for my $name (sort keys %of) {
        my @sorted = sort { $a <=> $b } @{ $of{$name} };
        my ($low, $high) = map { $sorted[ int($_ * $#sorted + 0.5) ] } @TAILS;
        my $value = $fit->{$name} // $INFINITE;
        @interval{ "${name}_low", "${name}_high" } = map { $_ == $INFINITE ? undef : $_ } min($low, $value),
            max($high, $value);
    }
    return %interval;
}

1;
