# SPDX-License-Identifier: GPL-2.0-or-later
# Base::Random - random numbers that follow from a seed. The same seed must give the same order of passes,
# and the same record the same report; Perl's rand gives other numbers in other versions of Perl.
package Touchstone::Base::Random;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use POSIX qw(fmod);

our @EXPORT_OK = qw(normal);

my $TURN = 8 * atan2 1, 1;

# Returns a sub that returns the next number x, 0 <= x < 1. This is Lehmer's generator with modulus 2**31 -
# 1, which stays exact in a double.
sub generator {
    my ($seed) = @_;
    my $state  = 1 + $seed % 2147483646;
    my $next   = sub { $state = fmod($state * 48271, 2147483647); return ($state - 1) / 2147483646 };
    $next->() for 1 .. 5;
    return $next;
}

# Returns a normal number, of mean 0 and standard deviation 1, from two of a generator (Box and Muller).
sub normal {
    my ($random) = @_;
    return sqrt(-2 * log(1 - $random->())) * cos($TURN * $random->());
}

# Returns the list in an order that a generator from above chooses.
sub shuffled {
    my ($random, @list) = @_;
    for my $i (reverse 1 .. $#list) {
        my $j = int($random->() * ($i + 1));
        @list[ $i, $j ] = @list[ $j, $i ];
    }
    return @list;
}

1;
