# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Stats::Association - how much of the scatter between hosts goes with a fact about them: the
# part of the variance between the values of the fact (omega squared, which is about 0 where there is nothing,
# unlike eta squared), and the chance that as much comes about when facts are dealt out to hosts at random.
#
#   of([ [ 0.01, 0.02, 0.00 ], [ -0.05, -0.06, -0.04 ] ], $random)
#
# takes the values of hosts, a list for each value of the fact:
#
#   { part => 0.90, p => 0.1 }
package Touchstone::Pack::Fleet::Stats::Association;
use 5.014;
use strict;
use warnings;

use List::Util qw(max sum);

use Touchstone::Stats qw(mean);

# So many deals at random tell a chance of 1 in 1000.
my $DEALS = 1999;

# After so many that reach what was seen the chance is known well enough: no more are dealt (Besag and
# Clifford 1991). Most facts have nothing to do with speed, and need some forty deals.
my $ENOUGH = 20;

# Returns nothing where there is one group, or no host more than groups.
sub of {
    my ($groups, $random) = @_;
    my @groups = sort { @$a <=> @$b } @$groups;
    my @values = map  { @$_ } @groups;
    my @sizes  = map  { scalar @$_ } @groups;
    return if @sizes < 2 || @values <= @sizes;
    my $grand = mean(@values);
    $_ -= $grand for @values;
    my $total   = sum(map { $_**2 } @values);
    my $between = _between(\@values, @sizes);
    return { part => 0, p => 1 } if $total <= 0;
    my $within = ($total - $between) / (@values - @sizes);
    return {
        part => max(0, ($between - (@sizes - 1) * $within) / ($total + $within)),
        p    => _chance(\@values, \@sizes, $between * (1 - 1e-9), $random)
    };
}

# The part of all deals of these values to groups of these sizes that has so much between the groups.
sub _chance {
    my ($values, $sizes, $seen, $random) = @_;
    my $dealt  = @$values - $sizes->[-1];
    my $as_far = 0;
    for my $deal (1 .. $DEALS) {
        for my $i (0 .. $dealt - 1) {
            my $j = $i + int($random->() * (@$values - $i));
            @$values[ $i, $j ] = @$values[ $j, $i ];
        }
        $as_far++              if _between($values, @$sizes) >= $seen;
        return $as_far / $deal if $as_far == $ENOUGH;
    }
    return ($as_far + 1) / ($DEALS + 1);
}

# The sum of squares between groups of these sizes, of values whose mean is 0: the sum of the last, which is
# the largest, is what the others leave.
sub _between {
    my ($values, @sizes) = @_;
    my $last = pop @sizes;
    my ($at, $rest, $between) = (0, 0, 0);
    for my $size (@sizes) {
        my $sum = sum(@$values[ $at .. $at + $size - 1 ]);
        $rest    += $sum;
        $between += $sum**2 / $size;
        $at      += $size;
    }
    return $between + $rest**2 / $last;
}

1;
