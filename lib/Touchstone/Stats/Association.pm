# SPDX-License-Identifier: GPL-2.0-or-later
# Stats::Association - how much of the scatter between hosts goes with a fact about them: the part of the
# variance between the values of the fact (omega squared, which is about 0 where there is nothing, unlike eta
# squared), and the chance that as much comes about when facts are dealt out to hosts at random.
#
#   of([ [ 0.01, 0.02, 0.00 ], [ -0.05, -0.06, -0.04 ] ], $random)
#
# takes the values of hosts, a list for each value of the fact:
#
#   { part => 0.90, p => 0.1 }
package Touchstone::Stats::Association;
use 5.014;
use strict;
use warnings;

use List::Util qw(max sum);

use Touchstone::Base::Random;
use Touchstone::Stats qw(mean);

# So many deals at random tell a chance of 1 in 1000.
my $DEALS = 1999;

# Returns nothing where there is one group, or no host more than groups.
sub of {
    my ($groups, $random) = @_;
    my @values = map { @$_ } @$groups;
    my @sizes  = map { scalar @$_ } @$groups;
    return if @sizes < 2 || @values <= @sizes;
    my $grand = mean(@values);
    $_ -= $grand for @values;
    my $total   = sum(map { $_**2 } @values);
    my $between = _between(\@values, @sizes);
    return { part => 0, p => 1 } if $total <= 0;
    my $within = ($total - $between) / (@values - @sizes);
    my $seen   = $between * (1 - 1e-9);
    my $as_far = grep { _between([ Touchstone::Base::Random::shuffled($random, @values) ], @sizes) >= $seen }
        1 .. $DEALS;
    return {
        part => max(0, ($between - (@sizes - 1) * $within) / ($total + $within)),
        p    => ($as_far + 1) / ($DEALS + 1)
    };
}

# The sum of squares between groups of these sizes, of values whose mean is 0.
sub _between {
    my ($values, @sizes)   = @_;
    my ($at,     $between) = (0, 0);
    for my $size (@sizes) {
        my $sum = 0;
        $sum     += $values->[$_] for $at .. $at + $size - 1;
        $between += $sum**2 / $size;
        $at      += $size;
    }
    return $between;
}

1;
