# SPDX-License-Identifier: GPL-2.0-or-later
# Stats - numbers to numbers.
package Touchstone::Stats;
use 5.014;
use strict;
use warnings;

use Carp qw(croak);
use List::Util qw(sum);

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
    croak 'geometric mean of nothing' if !@values;
    croak "geometric mean of a negative number" if grep { $_ < 0 } @values;
    return 0 if grep { $_ == 0 } @values;
    return exp(sum(map { log } @values) / @values);
}

# Relative spread: (largest - smallest) / median.
sub spread {
    my (@values) = @_;
    my ($low, $high) = (sort { $a <=> $b } @values)[ 0, -1 ];
    my $middle = median(@values);
    return $middle == 0 ? 0 : ($high - $low) / $middle;
}

1;
