# SPDX-License-Identifier: GPL-2.0-or-later
# Stats::Significance - whether samples differ: the tests behind a comparison.
package Touchstone::Stats::Significance;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum min max);

use Touchstone::Stats qw(deviation interval mean median outliers);

# Up to $MOST_SPLITS ways to deal out the values are all tried; otherwise $DRAWS are drawn at random, and
# fewer for long lists, so that about $DRAWN values are drawn at most.
my $MOST_SPLITS = 5000;
my $DRAWS       = 2000;
my $DRAWN       = 400_000;

# Trimmed means leave out this part of the values at each end.
our $TRIMMED = 0.2;

# Compares two samples. Returns { difference => mean of B - mean of A, error => its standard error, freedom,
# p }. The test is Welch's, but if an outlier is flagged in either sample it compares trimmed means (Yuen
# 1974), because a single pass that something else disturbed would hide any difference. t/bench/compare.pl:
# when one pass in twenty is disturbed, this finds 92 % of the slow-downs by 3 % instead of 57 %, with no
# more false alarms.
sub differ {
    my ($first, $second) = @_;
    my $trims = grep { my @far = outliers(@$_); @far } $first, $second;
    return $trims ? trimmed($first, $second) : welch($first, $second);
}

sub welch {
    my ($first, $second) = @_;
    return of_means(map { [ mean(@$_), deviation(@$_)**2 / @$_, @$_ - 1 ] } $first, $second);
}

# Compares the means of what is left after trimming.
sub trimmed {
    my ($first, $second) = @_;
    return of_means(map { trimmed_mean(@$_) } $first, $second);
}

# Returns [mean of what is left after trimming, its variance, degrees of freedom]. The variance takes all
# values into account, with those that were trimmed moved to the nearest value that is left.
sub trimmed_mean {
    my @sorted    = sort { $a <=> $b } @_;
    my $cut       = int($TRIMMED * @sorted);
    my @kept      = @sorted[ $cut .. $#sorted - $cut ];
    my $deviation = deviation(($kept[0]) x $cut, @kept, ($kept[-1]) x $cut);
    return [ mean(@kept), (@sorted - 1) * $deviation**2 / (@kept * (@kept - 1)), @kept - 1 ];
}

# Compares two means, each given as [mean, its variance, degrees of freedom].
sub of_means {
    my ($one, $other) = @_;
    my $variance = $one->[1] + $other->[1];
    my $below    = $one->[1]**2 / $one->[2] + $other->[1]**2 / $other->[2];
    return judged(
        $other->[0] - $one->[0],
        sqrt $variance,
        $below > 0 ? $variance**2 / $below : min($one->[2], $other->[2])
    );
}

# Compares pairs, given their differences.
sub paired {
    my (@differences) = @_;
    return judged(mean(@differences), deviation(@differences) / sqrt @differences, @differences - 1);
}

# Adds the p-value to a difference with its standard error.
sub judged {
    my ($difference, $error, $freedom) = @_;
    my $p = $error > 0 ? 2 * t_above(abs($difference) / $error, $freedom) : $difference == 0 ? 1 : 0;
    return { difference => $difference, error => $error, freedom => $freedom, p => $p };
}

# Returns how far below and above the median of a sample its 95 % interval reaches; 0 where it has none.
sub reach {
    my (@values) = @_;
    my ($low, $high) = interval(\@values) or return (0, 0);
    my $middle = median(@values);
    return ($middle - $low, $high - $middle);
}

# Returns the chance that the means of two samples differ this much when all values are dealt out anew.
# `random` returns numbers x, 0 <= x < 1.
sub permutation {
    my ($first, $second, $random) = @_;
    my @all = (@$first, @$second);
    my ($n, $k, $sum) = (scalar @all, scalar @$first, sum(@all));

    # The means are as far apart as the sum of the first sample is from its share of the total.
    my $share  = $sum * $k / $n;
    my $seen   = abs(sum(@$first) - $share) * (1 - 1e-9);
    my $as_far = 0;
    if (_splits($n, $k) <= $MOST_SPLITS) {
        my @sums = _sums_of(\@all, $k);
        $as_far = grep { abs($_ - $share) >= $seen } @sums;
        return $as_far / @sums;
    }
    my $draws = max(100, min($DRAWS, int($DRAWN / $n)));
    for (1 .. $draws) {
        my $dealt = 0;
        for my $i (0 .. $k - 1) {
            my $j = $i + int($random->() * ($n - $i));
            @all[ $i, $j ] = @all[ $j, $i ];
            $dealt += $all[$i];
        }
        $as_far++ if abs($dealt - $share) >= $seen;
    }
    return ($as_far + 1) / ($draws + 1);
}

# Returns the ranks of the values of two samples among all of them; equal values share their mean rank.
# permutation gets ranks where it must not see how far out an outlier is.
sub ranks {
    my (@samples) = @_;
    my @all = sort { $a <=> $b } map { @$_ } @samples;
    my %places;
    push @{ $places{ $all[$_] } }, $_ + 1 for 0 .. $#all;
    return map {
        [ map { mean(@{ $places{$_} }[ 0, -1 ]) } @$_ ]
    } @samples;
}

# Returns in how many ways k of n can be chosen; it stops counting beyond $MOST_SPLITS.
sub _splits {
    my ($n, $k) = @_;
    my $ways = 1;
    for my $i (1 .. $k) {
        $ways = $ways * ($n - $k + $i) / $i;
        return $ways if $ways > $MOST_SPLITS;
    }
    return $ways;
}

# Returns the sums of all choices of k values.
sub _sums_of {
    my ($values, $k) = @_;
    my @sums = map { [] } 0 .. $k;
    $sums[0] = [0];
    for my $value (@$values) {
        for my $taken (reverse 1 .. $k) {
            push @{ $sums[$taken] }, map { $_ + $value } @{ $sums[ $taken - 1 ] };
        }
    }
    return @{ $sums[$k] };
}

# Returns the chance that differences lie this far on one side when each could as well have the other sign.
sub sign_flip {
    my ($differences, $random) = @_;
    my $seen  = abs(sum(@$differences)) * (1 - 1e-9);
    my $n     = @$differences;
    my $exact = 2**$n <= $MOST_SPLITS;
    my @sums  = (0);
    if ($exact) {
        for my $difference (@$differences) {
            @sums = map { ($_ + $difference, $_ - $difference) } @sums;
        }
    } else {
        @sums = map {
            sum(map { $random->() < 0.5 ? $_ : -$_ } @$differences)
        } 1 .. max(100, min($DRAWS, int($DRAWN / $n)));
    }
    my $as_far = grep { abs >= $seen } @sums;
    return $exact ? $as_far / @sums : ($as_far + 1) / (@sums + 1);
}

# Returns p-values corrected for their number, in the same order (Holm 1979).
sub holm {
    my (@p) = @_;
    my @order = sort { $p[$a] <=> $p[$b] } 0 .. $#p;
    my ($least, @corrected) = (0);
    for my $rank (0 .. $#order) {
        $least = max($least, min(1, $p[ $order[$rank] ] * (@p - $rank)));
        $corrected[ $order[$rank] ] = $least;
    }
    return @corrected;
}

# Returns the chance that Student's t with these degrees of freedom is above a value of at least 0.
sub t_above {
    my ($t, $freedom) = @_;
    return 0.5 * _incomplete_beta($freedom / ($freedom + $t * $t), $freedom / 2);
}

# Returns Student's 95 % interval of the mean, (low, high), or nothing for fewer than two values.
sub mean_interval {
    my (@values) = @_;
    return if @values < 2;
    my $mean = mean(@values);
    my $half =
        t_quantile((1 - $Touchstone::Stats::CONFIDENCE) / 2, @values - 1) * deviation(@values) / sqrt @values;
    return ($mean - $half, $mean + $half);
}

# Returns the interval of the mean of values in the order in which they were measured, (low, high). Student's
# interval leaves out the truth too often where values have a long tail to one side; this one takes their
# skewness into account (Hall 1992).
sub skewed_interval {
    my ($values, $confidence) = @_;
    my ($n, $mean, $deviation) = (scalar @$values, mean(@$values), deviation(@$values));
    return ($mean, $mean) if $deviation == 0;
    my $skewness = sum(map { (($_ - $mean) / $deviation)**3 } @$values) / $n;
    my $t        = t_quantile((1 - $confidence) / 2, $n - 1);
    my $error    = error_of_mean(@$values);
    my @ends     = map { $mean - $error * _unskewed($_, $skewness, $n) } $t, -$t;
    return sort { $a <=> $b } @ends;
}

# The inverse of Hall's cubic function, which makes the distribution of a Student's ratio symmetrical.
sub _unskewed {
    my ($t, $skewness, $n) = @_;
    return $t if abs $skewness < 1e-6;
    my $cube = 1 + $skewness * ($t - $skewness / (6 * sqrt $n)) / sqrt $n;
    my $root = abs($cube)**(1 / 3) * ($cube < 0 ? -1 : 1);
    return 3 * sqrt($n) / $skewness * ($root - 1);
}

# The standard error of the mean of values in the order in which they were measured. Passes that follow one
# another may have the same speed because the machine has not changed its mind between them. Where neighbours
# clearly are alike, the error is that of fewer independent values.
my ($FEWEST_OF_ORDER, $ALIKE, $MOST_ALIKE) = (20, 1.645, 0.9);

sub error_of_mean {
    my (@values) = @_;
    my $n        = @values;
    my $error    = deviation(@values) / sqrt $n;
    return $error if $n < $FEWEST_OF_ORDER || $error == 0;
    my $mean  = mean(@values);
    my $alike = sum(map { ($values[$_] - $mean) * ($values[ $_ - 1 ] - $mean) } 1 .. $#values) /
        ($error**2 * $n * ($n - 1));
    return $error if $alike < $ALIKE / sqrt $n;
    $alike = min($alike, $MOST_ALIKE);
    return $error * sqrt((1 + $alike) / (1 - $alike));
}

# Returns the value that Student's t exceeds with this chance, below 0.5. Those of whole degrees of freedom
# are asked for after every pass.
my %quantile;

sub t_quantile {
    my ($above, $freedom) = @_;
    return _t_quantile($above, $freedom) if $freedom != int $freedom;
    return $quantile{"$above $freedom"} //= _t_quantile($above, $freedom);
}

sub _t_quantile {
    my ($above, $freedom) = @_;
    my ($low,   $high)    = (0, 1);
    $high *= 2 while t_above($high, $freedom) > $above && $high < 1e9;
    for (1 .. 60) {
        my $middle = ($low + $high) / 2;
        if   (t_above($middle, $freedom) > $above) { $low  = $middle }
        else                                       { $high = $middle }
    }
    return $high;
}

# Returns the regularised incomplete beta function I_x(a, 1/2), by its continued fraction (Lentz).
sub _incomplete_beta {
    my ($x, $a) = @_;
    return $x <= 0 ? 0 : 1 if $x <= 0 || $x >= 1;
    my $b     = 0.5;
    my $front = exp(_log_gamma($a + $b) - _log_gamma($a) - _log_gamma($b) + $a * log($x) + $b * log(1 - $x));
    return $x < ($a + 1) / ($a + $b + 2)
        ? $front * _fraction($x, $a, $b) / $a
        : 1 - $front * _fraction(1 - $x, $b, $a) / $b;
}

sub _fraction {
    my ($x, $a, $b) = @_;
    my $tiny = 1e-300;
    my ($c, $d) = (1, 1 - ($a + $b) * $x / ($a + 1));
    $d = 1 / ($d || $tiny);
    my $value = $d;
    for my $m (1 .. 500) {
        my $even_term = $m * ($b - $m) * $x / (($a + 2 * $m - 1) * ($a + 2 * $m));
        my $odd       = -($a + $m) * ($a + $b + $m) * $x / (($a + 2 * $m) * ($a + 2 * $m + 1));
        my $step      = 1;
        for my $term ($even_term, $odd) {
            $d              = 1 / ((1 + $term * $d) || $tiny);
            $c              = (1 + $term / $c) || $tiny;
            $value *= $step = $c * $d;
        }
        last if abs($step - 1) < 1e-14;
    }
    return $value;
}

# Stirling's series is exact to 14 digits from 12 on, so steps lead up to there first.
sub _log_gamma {
    my ($x) = @_;
    my $shift = 0;
    while ($x < 12) { $shift -= log $x; $x++ }
    my $r      = 1 / ($x * $x);
    my $series = (1 / 12 - $r * (1 / 360 - $r * (1 / 1260 - $r * (1 / 1680 - $r / 1188)))) / $x;
    return $shift + ($x - 0.5) * log($x) - $x + 0.918938533204672742 + $series;
}

1;
