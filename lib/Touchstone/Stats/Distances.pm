# SPDX-License-Identifier: GPL-2.0-or-later
# Stats::Distances - a quantile of the distances of values from each other in pairs, exactly that of the
# sorted list of all pairs, without such a list: 20,000 values have 200 million pairs.
#
#   quantile([ 1, 2, 4 ], 0.25)      1.5, of the distances 1, 2, 3
package Touchstone::Stats::Distances;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

# Up to so many distances for each value are sorted at the end.
my $FEW = 4;

# Nothing for a single value.
sub quantile {
    my ($values, $part) = @_;
    return if @$values < 2;
    my @sorted = sort { $a <=> $b } @$values;
    my $rank   = $part * (@sorted * (@sorted - 1) / 2 - 1);
    my $below  = int $rank;
    my ($one, $next) = _ranked(\@sorted, $below);
    return $one + ($rank - $below) * ($next - $one);
}

# The distance of that rank, from 0, and the one behind it, or the last twice. The distances of value i from
# those below it are a row, which is sorted: number k is that from value i - 1 - k. What may have the rank is
# `from` .. `to` - 1 of each row. Each turn compares all rows with one distance, and a quarter of these or
# more fall away (Johnson and Mizoguchi 1978).
sub _ranked {
    my ($sorted, $rank) = @_;
    my @from = (0) x @$sorted;
    my @to   = (0 .. $#$sorted);
    while ((my $left = sum(@to) - sum(@from)) > $FEW * @$sorted) {
        my $middle = _middle($sorted, \@from, \@to, $left / 2);
        my ($less, $upto) = _counted($sorted, $middle);
        if ($rank < sum(@$less)) {
            @to = map { min($to[$_], $less->[$_]) } 0 .. $#to;
        } elsif ($rank >= sum(@$upto)) {
            @from = map { max($from[$_], $upto->[$_]) } 0 .. $#from;
        } else {
            return ($middle, $rank + 1 < sum(@$upto) ? $middle : _least($sorted, $middle, @$upto));
        }
    }
    my @rest = sort { $a <=> $b } map {
        my $i = $_;
        map { $sorted->[$i] - $sorted->[ $i - 1 - $_ ] } $from[$i] .. $to[$i] - 1
    } 0 .. $#to;
    my ($one, $next) = @rest[ map { $rank - sum(@from) + $_ } 0, 1 ];
    return ($one, $next // _least($sorted, $one, @to));
}

# The middle one of the middles of what is left of each row; a row counts with its length.
sub _middle {
    my ($sorted, $from, $to, $half) = @_;
    my @middles = sort { $a->[0] <=> $b->[0] } map {
        my $i = $_;
        [ $sorted->[$i] - $sorted->[ $i - 1 - ($from->[$i] + $to->[$i] >> 1) ], $to->[$i] - $from->[$i] ]
        }
        grep { $from->[$_] < $to->[$_] } 0 .. $#$to;
    for my $middle (@middles) {
        return $middle->[0] if ($half -= $middle->[1]) <= 0;
    }
    return $middles[-1][0];
}

# How many distances of each row are below that, and how many are not above it. From row to row neither
# border goes back.
sub _counted {
    my ($sorted, $distance) = @_;
    my ($below, $not_above, @less, @upto) = (0, 0);
    for my $i (0 .. $#$sorted) {
        my $value = $sorted->[$i];
        $below++     while $below < $i     && $value - $sorted->[$below] >= $distance;
        $not_above++ while $not_above < $i && $value - $sorted->[$not_above] > $distance;
        push @less, $i - $below;
        push @upto, $i - $not_above;
    }
    return (\@less, \@upto);
}

# The least of the distances behind these numbers of each row, or `none`.
sub _least {
    my ($sorted, $none, @behind) = @_;
    return min(
        map  { $sorted->[$_] - $sorted->[ $_ - 1 - $behind[$_] ] }
        grep { $behind[$_] < $_ } 0 .. $#behind
    ) // $none;
}

1;
