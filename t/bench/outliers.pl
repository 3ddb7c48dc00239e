#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# How far normal values lie from the others by chance: makes the table of Pack::Fleet::Stats::Outliers, with a
# seed.
#
#   perl -Ilib t/bench/outliers.pl --table [N ...]     rows for lib/Touchstone/Pack/Fleet/Stats/Outliers.pm; half an hour
#   perl -Ilib t/bench/outliers.pl                     how often chance() is right, in fresh values
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Random;
use Touchstone::Pack::Fleet::Stats::Outliers;

my @SIZES = (5 .. 17, 20, 25, 30, 50, 100, 300, 1000);

# So many values make a row: the last limit is exceeded by 400 of them.
my $VALUES = 4_000_000;

my $random = Touchstone::Base::Random::generator(20261122);

# Pairs of normal values (Box and Muller).
sub normal {
    my ($n) = @_;
    my @values;
    while (@values < $n) {
        my ($size, $angle) = (sqrt(-2 * log(1 - $random->())), 6.283185307179586 * $random->());
        push @values, $size * cos $angle, $size * sin $angle;
    }
    $#values = $n - 1;
    return \@values;
}

# The largest sizes suffice for the limits, except for those of the first chances.
sub row {
    my ($n) = @_;
    my @sizes;
    for (1 .. $VALUES / $n) {
        push @sizes,
            map { abs $_->{quotient} } Touchstone::Pack::Fleet::Stats::Outliers::quotients(normal($n), 0);
    }
    @sizes = sort { $b <=> $a } @sizes;
    return map { $sizes[ $_ * @sizes ] } @Touchstone::Pack::Fleet::Stats::Outliers::CHANCES;
}

sub table {
    my (@sizes) = @_;
    $| = 1;
    printf "    [ %s ],\n", join ', ', $_, map { sprintf '%.4g', $_ } row($_) for @sizes;
    return;
}

sub check {
    print "# how often a quotient's chance was below 5, 1 and 0.1 % among normal values\n";
    for my $n (5, 7, 11, 25, 70, 200) {
        my @p =
            map { $_->{p} }
            map { Touchstone::Pack::Fleet::Stats::Outliers::deviations(normal($n), 0) } 1 .. 40_000 / $n;
        printf "%4d values: %s\n", $n, join ' ', map {
            my $level = $_;
            sprintf '%.2f %%', 100 * (grep { $_ < $level } @p) / @p
        } 0.05, 0.01, 0.001;
    }
    return;
}

if (($ARGV[0] // '') eq '--table') { shift @ARGV; table(@ARGV ? @ARGV : @SIZES) }
else                               { check() }
