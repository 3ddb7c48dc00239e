# SPDX-License-Identifier: GPL-2.0-or-later
# Stats::Levels - whether values lie on two levels, such as the speeds of two processes that run on one CPU or
# on two.
package Touchstone::Stats::Levels;
use 5.014;
use strict;
use warnings;

use List::Util qw(max sum);

use Touchstone::Stats qw(mean);

# Fewer values show no levels, and a level has at least this number and part of them.
my ($FEWEST, $FEWEST_OF_LEVEL, $LEAST_SHARE) = (20, 3, 0.04);

# Two levels are at least this factor apart, and explain this part of the variance of the logarithms. The best
# division explains 64 % of normal values, and 75 % of even ones.
my ($MIN_RATIO, $EXPLAINED) = (1.25, 0.83);

# A pass in which the level changed lies between two of them: at most this part of all values is in the middle
# third of their distance, and fewer than in either level.
my $BETWEEN = 0.15;

# Returns two levels, { value => their mean, share => their part of all, values }, the lower one first, or
# nothing if there is only one.
sub find_levels {
    my (@values) = @_;
    return if @values < $FEWEST || grep { $_ <= 0 } @values;
    my @sorted = sort { $a <=> $b } @values;
    my $place  = _place(max($FEWEST_OF_LEVEL, $LEAST_SHARE * @values), map { log } @sorted) // return;
    return
        map { { value => mean(@$_), share => @$_ / @values, values => $_ } } [ @sorted[ 0 .. $place - 1 ] ],
        [ @sorted[ $place .. $#sorted ] ];
}

# The place of the first value of the upper level in the best division, or nothing where it is no clear one.
sub _place {
    my ($least, @logs) = @_;
    my ($n, $all) = (scalar @logs, sum(@logs));
    my ($best, $below) = ({ between => 0 }, 0);
    for my $count (1 .. $n - 1) {
        $below += $logs[ $count - 1 ];
        next if $count < $least || $n - $count < $least;
        my $distance = ($all - $below) / ($n - $count) - $below / $count;
        my $between  = $count * ($n - $count) / $n * $distance**2;
        $best = { between => $between, distance => $distance, place => $count }
            if $between > $best->{between};
    }
    return if !$best->{place} || $best->{distance} < log $MIN_RATIO;
    my $mean     = $all / $n;
    my $variance = sum(map { ($_ - $mean)**2 } @logs);
    return if $best->{between} < $EXPLAINED * $variance;
    my ($place, $third) = ($best->{place}, $best->{distance} / 3);
    my $low     = sum(@logs[ 0 .. $place - 1 ]) / $place;
    my $between = grep { $_ > $low + $third && $_ < $low + 2 * $third } @logs;
    return $between <= $BETWEEN * $n && $between < $place && $between < $n - $place ? $place : undef;
}

1;
