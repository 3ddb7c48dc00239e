# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Stats::Outliers - values that lie further from the others than chance puts them. Each value is
# compared with the median of the others; the scale is their deviation from it, from $MANY values on without
# those that lie far from it, so that far values do not widen it. In n normal values this quotient is no
# Student's t: for small n it is far larger by chance. @TABLE, made by simulation (t/bench/outliers.pl
# --table), tells how often.
#
#   deviations([0.00, 0.01, -0.01, 0.02, -0.15], 0.003)
#
# gives a list, in the order of the values, of
#
#   { distance => -0.155, quotient => -13.9, p => 0.02 }
package Touchstone::Pack::Fleet::Stats::Outliers;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Stats qw(mean median);

# Fewer values cannot show that one of them is far.
our $FEWEST = 5;

# Values within so many deviations by their median distance from the median tell the scale. Their squares do
# so more surely than the median distance alone, by which one slow host of ten would be missed.
my $NEAR = 5;

# Among fewer values the median distance is often small by chance, so that values seem to lie far and are
# left out: the quotients then scatter so widely that one of 28 would be needed to name one of six. All
# others make the scale there.
my $MANY = 10;

# The chances of the columns of @TABLE.
our @CHANCES = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001);

# A row: the number of values, then what the size of a quotient exceeds with each of these chances.
our @TABLE = (
    [ 5,    0.9785, 2.078, 2.974, 4.011, 5.708, 7.334, 9.348, 12.86, 16.2,  20.43, 27.87, 35.28 ],
    [ 6,    0.8976, 1.836, 2.538, 3.288, 4.422, 5.418, 6.574, 8.415, 10.1,  12.14, 15.41, 18.32 ],
    [ 7,    0.8558, 1.728, 2.35,  2.991, 3.908, 4.675, 5.529, 6.833, 8.01,  9.24,  11.23, 13.12 ],
    [ 8,    0.8241, 1.642, 2.207, 2.77,  3.544, 4.176, 4.856, 5.852, 6.685, 7.662, 9.008, 10.12 ],
    [ 9,    0.8042, 1.593, 2.129, 2.651, 3.352, 3.903, 4.494, 5.334, 6.038, 6.819, 7.915, 8.853 ],
    [ 10,   0.8094, 1.61,  2.166, 2.731, 3.569, 4.349, 5.393, 7.638, 10.62, 15.18, 23.96, 35.1 ],
    [ 11,   0.7893, 1.558, 2.076, 2.585, 3.286, 3.875, 4.567, 5.723, 6.978, 8.728, 12.26, 16.13 ],
    [ 12,   0.7785, 1.53,  2.031, 2.514, 3.172, 3.717, 4.332, 5.352, 6.429, 7.955, 11.02, 14.85 ],
    [ 13,   0.7666, 1.499, 1.98,  2.439, 3.042, 3.518, 4.019, 4.785, 5.474, 6.393, 8.056, 9.837 ],
    [ 14,   0.7591, 1.482, 1.95,  2.394, 2.97,  3.416, 3.884, 4.581, 5.209, 5.978, 7.407, 9.017 ],
    [ 15,   0.7513, 1.461, 1.92,  2.346, 2.894, 3.308, 3.736, 4.34,  4.838, 5.428, 6.42,  7.438 ],
    [ 16,   0.7443, 1.448, 1.899, 2.317, 2.847, 3.245, 3.653, 4.215, 4.687, 5.199, 5.988, 6.682 ],
    [ 17,   0.7394, 1.435, 1.878, 2.286, 2.802, 3.182, 3.561, 4.081, 4.488, 4.946, 5.58,  6.118 ],
    [ 20,   0.728,  1.408, 1.835, 2.224, 2.705, 3.054, 3.4,   3.862, 4.214, 4.588, 5.105, 5.5 ],
    [ 25,   0.7162, 1.378, 1.79,  2.161, 2.614, 2.938, 3.25,  3.653, 3.944, 4.236, 4.626, 4.938 ],
    [ 30,   0.7078, 1.36,  1.763, 2.122, 2.557, 2.862, 3.154, 3.521, 3.8,   4.069, 4.422, 4.662 ],
    [ 50,   0.6938, 1.327, 1.712, 2.052, 2.456, 2.736, 3.005, 3.34,  3.577, 3.804, 4.108, 4.339 ],
    [ 100,  0.6838, 1.304, 1.677, 2.005, 2.388, 2.652, 2.899, 3.205, 3.423, 3.627, 3.89,  4.081 ],
    [ 300,  0.6776, 1.289, 1.656, 1.974, 2.346, 2.602, 2.84,  3.134, 3.333, 3.53,  3.782, 3.965 ],
    [ 1000, 0.6755, 1.284, 1.648, 1.964, 2.332, 2.586, 2.817, 3.1,   3.307, 3.498, 3.747, 3.916 ],
);

# `floor` is what the scale is at least: the standard error that values have anyway.
sub deviations {
    my ($values, $floor) = @_;
    my $n = @$values;
    return map {
        { %$_, p => chance($_->{quotient}, $n) }
    } quotients($values, $floor);
}

# The same without p, for the simulation that makes the table.
sub quotients {
    my ($values, $floor) = @_;
    my $n      = @$values;
    my @order  = sort { $values->[$a] <=> $values->[$b] } 0 .. $n - 1;
    my @sorted = @$values[@order];
    my (%around, @found);
    for my $rank (0 .. $n - 1) {
        my $median = _median_without(\@sorted, $rank);
        my $around = $around{$median} ||= _around($median, @sorted);
        my $own    = $sorted[$rank] - $median;
        my $scale  = max(_scale($around, abs $own), $floor || 0);
        $found[ $order[$rank] ] =
            { distance => $own, quotient => $scale > 0 ? $own / $scale : $own ? $own * 9**9**9 : 0 };
    }
    return @found;
}

# The distances of values from a point, from the least to the greatest, and the sums of squares up to each.
sub _around {
    my ($point, @values) = @_;
    my @distances = sort { $a <=> $b } map { abs($_ - $point) } @values;
    my @sums      = (0);
    push @sums, $sums[-1] + $_**2 for @distances;
    return { distances => \@distances, sums => \@sums };
}

# The deviation of the others from a point: of those that are not far by their median distance.
sub _scale {
    my ($around, $own)     = @_;
    my ($distances, $sums) = @$around{qw(distances sums)};
    my $median = _median_without($distances, _rank_of($own, $distances));
    my $limit  = @$distances < $MANY ? 9**9**9 : $NEAR * $Touchstone::Stats::MAD_TO_DEVIATION * $median;
    my $near   = _rank_of($limit, $distances);
    $near++ while $near < @$distances && $distances->[$near] <= $limit;
    my ($sum, $count) = $own <= $limit ? ($sums->[$near] - $own**2, $near - 1) : ($sums->[$near], $near);
    return $count > 0 ? sqrt(max(0, $sum) / $count) : 0;
}

# The deviation of values from their median, without those that are far by their median distance.
sub scale {
    my (@values)  = @_;
    my $median    = median(@values);
    my @distances = map { abs($_ - $median) } @values;
    my $limit = @values < $MANY ? 9**9**9 : $NEAR * $Touchstone::Stats::MAD_TO_DEVIATION * median(@distances);
    return sqrt mean(map { $_**2 } grep { $_ <= $limit } @distances);
}

# The median of a sorted list without the value at one place.
sub _median_without {
    my ($sorted, $left_out) = @_;
    my $rest = @$sorted - 1;
    my $high = $rest >> 1;
    my $low  = $rest % 2 ? $high : $high - 1;
    return ($sorted->[ $low + ($low >= $left_out) ] + $sorted->[ $high + ($high >= $left_out) ]) / 2;
}

# The first place in a sorted list that is not below a value.
sub _rank_of {
    my ($value, $sorted) = @_;
    my ($low,   $high)   = (0, scalar @$sorted);
    while ($low < $high) {
        my $middle = ($low + $high) >> 1;
        if   ($sorted->[$middle] < $value) { $low  = $middle + 1 }
        else                               { $high = $middle }
    }
    return $low;
}

# The chance that among n values a quotient is at least this large, on either side.
sub chance {
    my ($quotient, $n) = @_;
    my $size = abs $quotient;
    return 0 if $size == 9**9**9;
    my @limits = _limits($n);
    return 1 if $size <= 0;

    # Below the first limit the chance falls evenly from 1.
    return 1 - (1 - $CHANCES[0]) * $size / $limits[0] if $size <= $limits[0];

    # Between two limits, and beyond the last, it falls by a power of the quotient, as Student's does. Beyond
    # the last that is too slow for many values, and so errs on the side of chance.
    my $right = 1;
    $right++ while $right < $#limits && $limits[$right] < $size;
    my ($x, $y) = map { [ log $limits[$_], log $CHANCES[$_] ] } $right - 1, $right;
    return exp($x->[1] + ($y->[1] - $x->[1]) * (log($size) - $x->[0]) / ($y->[0] - $x->[0]));
}

# The size of a quotient that one of n values exceeds with this chance.
sub limit {
    my ($p,   $n)    = @_;
    my ($low, $high) = (0, 1);
    $high *= 2 while chance($high, $n) > $p;
    for (1 .. 40) {
        my $middle = ($low + $high) / 2;
        if   (chance($middle, $n) > $p) { $low  = $middle }
        else                            { $high = $middle }
    }
    return $high;
}

# The limits for n values: between two rows in a straight line over 1/n.
sub _limits {
    my ($n) = @_;
    $n = max($n, $TABLE[0][0]);
    my ($below) = grep { $_->[0] <= $n } reverse @TABLE;
    my ($above) = grep { $_->[0] >= $n } @TABLE;
    $above //= $below;
    my $part =
        $above->[0] == $below->[0] ? 0 : (1 / $below->[0] - 1 / $n) / (1 / $below->[0] - 1 / $above->[0]);
    return map { $below->[$_] + $part * ($above->[$_] - $below->[$_]) } 1 .. @CHANCES;
}

# One chance for several p-values of the same thing (Simes 1986).
sub simes {
    my (@p) = sort { $a <=> $b } @_;
    return min(1, map { $p[$_] * @p / ($_ + 1) } 0 .. $#p);
}

# Returns p-values corrected so that among those below a level at most that share is there by chance, in the
# same order (Benjamini and Hochberg 1995).
sub share_of_chance {
    my (@p) = @_;
    my @order = sort { $p[$b] <=> $p[$a] } 0 .. $#p;
    my ($least, @corrected) = (1);
    for my $rank (0 .. $#order) {
        $least = min($least, $p[ $order[$rank] ] * @p / (@p - $rank));
        $corrected[ $order[$rank] ] = $least;
    }
    return @corrected;
}

1;
