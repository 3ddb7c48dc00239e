# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Stats::Percentile - where a value stands among others of its kind: the part of all that is
# below it, with an interval. The others are a sample, and the value has an error of its own; both make it
# uncertain:
#
#   of(13.20, 0.004, [ 13.15, 13.21, 13.30, ... ])
#
#   { below => 7, of => 41, percentile => 0.171, low => 0.08, high => 0.31 }
#
# What k below of n say of the part below is a beta distribution, whose values are sums of binomial chances.
# The error of the value is a mixture of these. t/bench/like.pl counts how often the interval holds the
# truth.
package Touchstone::Pack::Fleet::Stats::Percentile;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Stats;

# The value may be so many standard errors away, in these steps.
my ($FAR, $STEP) = (3, 0.25);

# Terms of a sum that are smaller than this part of the largest add nothing.
my $SMALL = 1e-12;

sub of {
    my ($value, $error, $others) = @_;
    my @sorted = sort { $a <=> $b } @$others;
    my $n      = @sorted or return;
    my $below  = _below($value, \@sorted);
    my %weight;
    my $steps = $error ? $FAR / $STEP : 0;
    for my $step (-$steps .. $steps) {
        my $z = $step * $STEP;
        $weight{ _below($value + $z * ($error || 0), \@sorted) } += exp(-$z * $z / 2);
    }
    my $beyond = (1 - $Touchstone::Stats::CONFIDENCE) / 2;
    return {
        below      => $below,
        of         => $n,
        percentile => $below / $n,
        low        => min($below / $n, _quantile($beyond, $n, %weight)),
        high       => max($below / $n, _quantile(1 - $beyond, $n, %weight))
    };
}

# How many of a sorted list are below a value; an equal one counts as half.
sub _below {
    my ($value, $sorted) = @_;
    my $less = _count($sorted, sub { $_[0] < $value });
    return ($less + _count($sorted, sub { $_[0] <= $value })) / 2;
}

# How many at the beginning of a list are so.
sub _count {
    my ($list, $is)   = @_;
    my ($low,  $high) = (0, scalar @$list);
    while ($low < $high) {
        my $middle = ($low + $high) >> 1;
        if   ($is->($list->[$middle])) { $low  = $middle + 1 }
        else                           { $high = $middle }
    }
    return $low;
}

# The part below which the truth is with this chance.
sub _quantile {
    my ($chance, $n, %weight) = @_;
    my $all = 0;
    $all += $_ for values %weight;
    my ($low, $high) = (0, 1);
    for (1 .. 40) {
        my $middle = ($low + $high) / 2;
        my $sum    = 0;
        $sum += $weight{$_} * _chance_below($middle, $_, $n) for sort { $a <=> $b } keys %weight;
        if   ($sum < $chance * $all) { $low  = $middle }
        else                         { $high = $middle }
    }
    return ($low + $high) / 2;
}

# The chance that the part of all is below x, when k of n are: that of a beta distribution of k + 1 and
# n - k + 1. A half is the mean of both whole numbers around it.
sub _chance_below {
    my ($x, $k, $n) = @_;
    return (_chance_below($x, $k - 0.5, $n) + _chance_below($x, $k + 0.5, $n)) / 2 if $k != int $k;
    return _at_least($k + 1, $n + 1, $x);
}

# The chance of k or more of n, each with the chance x.
sub _at_least {
    my ($k, $n, $x) = @_;
    return 1                                      if $k <= 0 || $x >= 1;
    return 0                                      if $k > $n || $x <= 0;
    return 1 - _at_least($n - $k + 1, $n, 1 - $x) if $k < $n * $x;
    my $term = exp(_log_choose($n, $k) + $k * log($x) + ($n - $k) * log(1 - $x));
    my $sum  = 0;
    for my $i ($k .. $n) {
        $sum += $term;
        last if $term < $SMALL * $sum;
        $term *= ($n - $i) / ($i + 1) * $x / (1 - $x);
    }
    return min(1, $sum);
}

# The logarithms of factorials.
my @LOG = (0, 0);

sub _log_choose {
    my ($n, $k) = @_;
    push @LOG, $LOG[-1] + log scalar @LOG while @LOG <= $n;
    return $LOG[$n] - $LOG[$k] - $LOG[ $n - $k ];
}

1;
