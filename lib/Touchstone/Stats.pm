# SPDX-License-Identifier: GPL-2.0-or-later
# Stats - numbers to numbers: averages, spreads, intervals. Significance has the tests.
package Touchstone::Stats;
use 5.014;
use strict;
use warnings;

use Carp qw(croak);
use Exporter qw(import);
use List::Util qw(sum max);

use Touchstone::Base::Figure;

our @EXPORT_OK = qw(deviation geometric_mean interval mean median outliers);

our $CONFIDENCE = 0.95;

# Fewer values cannot give an interval for a median: even the interval from the smallest to the largest of
# five is only 93.75 % sure.
our $FEWEST = $Touchstone::Base::Figure::FEWEST;

# A normal value lies within so many standard deviations with a chance of $CONFIDENCE, and of $EVEN.
our ($NORMAL, $EVEN) = (1.96, 0.5);
my $EVEN_NORMAL = 0.6745;

# Intervals of so few values are wider than those of endless ones: of 6 to 30 normal values half of the even
# interval tells 1.09 to 1.18 times the standard error of the median (root mean square).
my $OF_FEW = 0.9;

# A value is an outlier when it is this many standard deviations from the median; the median distance from
# the median estimates the deviation. In normal values this flags one of six in 1 of 25 sets, one of ten in 1
# of 60, and one of twenty in 1 of 300.
our $FAR = 6;

# This factor turns the median distance from the median into the standard deviation of normal values.
our $MAD_TO_DEVIATION = 1.4826;

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

# The mean is zero when any value is, because their product is.
sub geometric_mean {
    my (@values) = @_;
    croak 'geometric mean of nothing'           if !@values;
    croak "geometric mean of a negative number" if grep { $_ < 0 } @values;
    return 0                                    if grep { $_ == 0 } @values;
    return exp(sum(map { log } @values) / @values);
}

# The relative spread is (largest - smallest) / median.
sub spread {
    my (@values) = @_;
    my ($low, $high) = (sort { $a <=> $b } @values)[ 0, -1 ];
    my $middle = median(@values);
    return $middle == 0 ? 0 : ($high - $low) / $middle;
}

# Returns the standard deviation of a sample; 0 for a single value.
sub deviation {
    my (@values) = @_;
    my $mean = mean(@values);
    return @values < 2 ? 0 : sqrt(sum(map { ($_ - $mean)**2 } @values) / (@values - 1));
}

# The coefficient of variation is the standard deviation as a part of the mean.
sub variation {
    my (@values) = @_;
    my $mean = mean(@values);
    return $mean == 0 ? 0 : deviation(@values) / $mean;
}

# Returns the interval of the median that is as sure as asked for, usually 95 %, as (low, high). It returns
# nothing below $FEWEST values, or where not even all values make an interval so sure. Its limits are
# interpolated between two pairs of order statistics, one a little more and one a little less sure than asked
# for (Hettmansperger and Sheather 1986). t/bench/intervals.pl compares it with others.
sub interval {
    my ($values, $confidence) = @_;
    $confidence //= $CONFIDENCE;
    my $n = @$values;
    return if $n < $FEWEST || _plus_minus($n, 1) < $confidence;
    my @sorted = sort { $a <=> $b } @$values;

    # The search starts three standard deviations from the middle, outside of any interval that is asked for.
    my $depth = max(1, int($n / 2 - 1.5 * sqrt $n));
    $depth++ while _plus_minus($n, $depth + 1) >= $confidence;
    my ($wider, $less) = (_plus_minus($n, $depth), _plus_minus($n, $depth + 1));
    my $part   = ($wider - $confidence) / ($wider - $less);
    my $inward = ($n - $depth) * $part / ($depth + ($n - 2 * $depth) * $part);
    my ($low, $next_low, $next_high, $high) = @sorted[ $depth - 1, $depth, $n - $depth - 1, $n - $depth ];
    return ($low + $inward * ($next_low - $low), $high - $inward * ($high - $next_high));
}

# Returns the standard error of the logarithm of the median, or nothing.
sub log_error {
    my (@values) = @_;
    my @even = interval(\@values, $EVEN) or return;
    return error_of_even(@even);
}

# The same from the interval that holds the median as often as not, because the 95 % interval of six values
# spans nearly all of them, and a single disturbed value would count as if the median had been disturbed.
sub error_of_even {
    my ($low, $high) = @_;
    return $low > 0 ? $OF_FEW * log($high / $low) / 2 / $EVEN_NORMAL : undef;
}

# Returns how sure it is that the median lies between the depth-th smallest and the depth-th largest of n
# values.
my %sureness;

sub _plus_minus {
    my ($n, $depth) = @_;
    return $sureness{"$n $depth"} //= 1 - 2 * _fair_coins($n, $depth - 1);
}

# Returns the chance of at most k heads in n throws.
sub _fair_coins {
    my ($n,   $k)   = @_;
    my ($log, $sum) = (-$n * log 2, 0);
    for my $i (0 .. $k) {
        $sum += exp $log;
        $log += log(($n - $i) / ($i + 1)) if $i < $n;
    }
    return $sum;
}

# Returns the positions of values that are far from all others.
sub outliers {
    my (@values) = @_;
    return if @values < $FEWEST;
    my $middle = median(@values);
    my $width  = $MAD_TO_DEVIATION * median(map { abs($_ - $middle) } @values);
    return if $width == 0;
    return grep { abs($values[$_] - $middle) > $FAR * $width } 0 .. $#values;
}

1;
