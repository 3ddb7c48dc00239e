# SPDX-License-Identifier: GPL-2.0-or-later
# Score::Index - one figure for several tests, and how sure it is.
package Touchstone::Score::Index;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum min);

use Touchstone::Base::Speed qw(index_of);
use Touchstone::Score::Sureness;
use Touchstone::Stats::Confidence;
use Touchstone::Stats qw(geometric_mean);

# Larger logarithms are cut, because a damaged record must not give an infinite index.
my $MOST_LOG = 300;

# Records have this key for the category whose index stands for the machine, which is called index alone.
my $OF_MACHINE = 'system';

sub name_of { my ($key) = @_; return $key eq $OF_MACHINE ? 'index' : "index ($key)" }

# The product of the indexes of these tests, which are results with a baseline, each to its power; without
# `parts`, which are the powers, their geometric mean: (score => 1910.7, interval => [low, high], precision,
# error, disturbed, clean_score).
sub of_tests {
    my ($parts, @tests) = @_;
    my $score = _product($parts, map { index_of($_, $_->{score}) } @tests);
    my $clean = _product($parts, map { index_of($_, $_->{clean_score} // $_->{score}) } @tests);
    my @sure  = map { Touchstone::Score::Sureness::of_speed($_) } @tests;
    return (
        score => $score,
        _around(
            $score,
            Touchstone::Stats::Confidence::product(
                map { [ $sure[$_], $parts ? $parts->[$_] : 1 / @tests ] } 0 .. $#tests
            )
        ),
        disturbed   => sum(map { $_->{disturbed} } @tests),
        clean_score => (grep { defined $_->{clean_score} } @tests) ? $clean : undef,
    );
}

# A record from elsewhere may have counts of zero or less; the product is zero then.
sub _product {
    my ($parts, @values) = @_;
    return 0                       if grep { $_ <= 0 } @values;
    return geometric_mean(@values) if !$parts;
    return exp min($MOST_LOG, sum(map { $parts->[$_] * log $values[$_] } 0 .. $#values));
}

sub _around {
    my ($value, $sure) = @_;
    my $limits = Touchstone::Stats::Confidence::limits($value, $sure);
    return (
        error     => $sure && $sure->{error},
        interval  => $limits,
        precision => $limits && $value > 0 ? ($limits->[1] - $limits->[0]) / 2 / $value : undef
    );
}

1;
