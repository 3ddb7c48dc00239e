# SPDX-License-Identifier: GPL-2.0-or-later
# Stats - numbers to numbers: averages, spreads, intervals. Significance has the tests.
package Touchstone::Stats;
use 5.014;
use strict;
use warnings;

use Carp qw(croak);
use List::Util qw(sum max);

our $CONFIDENCE = 0.95;

# Fewer values cannot give an interval for a median: even from the smallest to the largest of five it is only
# 93.75 % sure.
our $FEWEST = 6;

# How often a normal value is within one standard deviation, and in how many it is with $CONFIDENCE.
my $ONE_ERROR = 0.6827;
our $NORMAL = 1.96;

# A value is an outlier when it is this many standard deviations from the median, as the median of all
# distances tells them. Normal values: six have one flagged in 1 of 25 sets, ten in 1 of 60, twenty in 1 of
# 300.
my $FAR = 6;

# Makes the median distance from the median the standard deviation of normal values.
my $MAD_TO_DEVIATION = 1.4826;

sub mean {
    my (@values) = @_;
    croak 'mean of nothing' if !@values;
    return sum(@values) / @values;
}

sub median {
    my (@values) = @_;
    croak 'median of nothing' if !@values;
    my @sorted = sort { $a <=> $b } @values;
    my $middle = int(@sorted / 2);
    return @sorted % 2 ? $sorted[$middle] : ($sorted[ $middle - 1 ] + $sorted[$middle]) / 2;
}

# Zero when any value is: a product with nothing in it.
sub geometric_mean {
    my (@values) = @_;
    croak 'geometric mean of nothing'           if !@values;
    croak "geometric mean of a negative number" if grep { $_ < 0 } @values;
    return 0                                    if grep { $_ == 0 } @values;
    return exp(sum(map { log } @values) / @values);
}

# Relative spread: (largest - smallest) / median.
sub spread {
    my (@values) = @_;
    my ($low, $high) = (sort { $a <=> $b } @values)[ 0, -1 ];
    my $middle = median(@values);
    return $middle == 0 ? 0 : ($high - $low) / $middle;
}

# Of a sample; 0 for a single value.
sub deviation {
    my (@values) = @_;
    my $mean = mean(@values);
    return @values < 2 ? 0 : sqrt(sum(map { ($_ - $mean)**2 } @values) / (@values - 1));
}

# Coefficient of variation: the standard deviation as a part of the mean.
sub variation {
    my (@values) = @_;
    my $mean = mean(@values);
    return $mean == 0 ? 0 : deviation(@values) / $mean;
}

# Interval of the median that is as sure as asked for, usually 95 %: (low, high), or nothing below $FEWEST
# values and where not even all are so sure. Between two pairs of order statistics, one a little more and one
# a little less sure, it is interpolated (Hettmansperger and Sheather 1986). t/bench/intervals.pl compares it
# with others.
sub interval {
    my ($values, $confidence) = @_;
    $confidence //= $CONFIDENCE;
    my $n = @$values;
    return if $n < $FEWEST || _sureness($n, 1) < $confidence;
    my @sorted = sort { $a <=> $b } @$values;

    # Three standard deviations from the middle: where no interval that is asked for begins.
    my $depth = max(1, int($n / 2 - 1.5 * sqrt $n));
    $depth++ while _sureness($n, $depth + 1) >= $confidence;
    my ($sure, $less) = (_sureness($n, $depth), _sureness($n, $depth + 1));
    my $part   = ($sure - $confidence) / ($sure - $less);
    my $inward = ($n - $depth) * $part / ($depth + ($n - 2 * $depth) * $part);
    my ($low, $next_low, $next_high, $high) = @sorted[ $depth - 1, $depth, $n - $depth - 1, $n - $depth ];
    return ($low + $inward * ($next_low - $low), $high - $inward * ($high - $next_high));
}

# Standard error of the logarithm of the median, or nothing: half of what holds it as often as one standard
# error does. Not a part of the 95 % interval, because of six values that spans nearly all of them, and one
# that was disturbed would count as if the median had been.
sub log_error {
    my (@values) = @_;
    my ($low, $high) = interval(\@values, $ONE_ERROR) or return;
    return $low > 0 ? log($high / $low) / 2 : undef;
}

# How surely the median lies between the depth-th smallest and the depth-th largest of n values.
my %sureness;

sub _sureness {
    my ($n, $depth) = @_;
    return $sureness{"$n $depth"} //= 1 - 2 * _fair_coins($n, $depth - 1);
}

# Chance of at most k heads in n throws.
sub _fair_coins {
    my ($n,   $k)   = @_;
    my ($log, $sum) = (-$n * log 2, 0);
    for my $i (0 .. $k) {
        $sum += exp $log;
        $log += log(($n - $i) / ($i + 1)) if $i < $n;
    }
    return $sum;
}

# Positions of values far from all others.
sub outliers {
    my (@values) = @_;
    return if @values < $FEWEST;
    my $middle = median(@values);
    my $width  = $MAD_TO_DEVIATION * median(map { abs($_ - $middle) } @values);
    return if $width == 0;
    return grep { abs($values[$_] - $middle) > $FAR * $width } 0 .. $#values;
}

# Standard error of the logarithm of a product of powers of independent figures, each [error of its logarithm,
# exponent]: an index is a product of roots, a gain a quotient. Nothing when a figure has none.
sub product_error {
    my (@figures) = @_;
    return if !@figures || grep { !defined $_->[0] } @figures;
    return sqrt sum(map { ($_->[0] * $_->[1])**2 } @figures);
}

# 95 % interval around a value, (low, high), from the standard error of its logarithm.
sub around {
    my ($value, $error) = @_;
    return if !defined $error;
    return ($value * exp(-$NORMAL * $error), $value * exp($NORMAL * $error));
}

1;
