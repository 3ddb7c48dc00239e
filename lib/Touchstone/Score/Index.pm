# SPDX-License-Identifier: GPL-2.0-or-later
# Score::Index - one figure for several tests, and how sure it is.
package Touchstone::Score::Index;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum min);

use Touchstone::Base::Direction qw(index_of);
use Touchstone::Score::Interval;
use Touchstone::Stats::Confidence;
use Touchstone::Stats qw(geometric_mean);

# Larger logarithms are cut, because a damaged record must not give an infinite index.
my $MOST_LOG = 300;

# Records have this key for the category whose index stands for the machine, which is called index alone.
my $OF_MACHINE = 'system';

sub name_of { my ($key) = @_; return $key eq $OF_MACHINE ? 'index' : "index ($key)" }

# Those of these indexes, each { key, category, part_of }, that say how fast the machine is: what is a part of
# another that is here only explains it; and beside an index that has its parts here, one of its category that
# is no part, such as that of the disk, stands for itself.
sub answers {
    my (@indexes) = @_;
    my %role = roles(@indexes);
    return grep { $role{ $_->{key} } eq 'answer' } @indexes;
}

# { key => answer, part or aside }
sub roles {
    my (@indexes) = @_;
    my %here      = map { $_->{key}     => 1 } @indexes;
    my %whole     = map { $_->{part_of} => 1 } grep { $here{ $_->{part_of} // '' } } @indexes;
    my %divided   = map { ($_->{category} // '') => 1 } grep { $whole{ $_->{key} } } @indexes;
    return map {
              $_->{key} => $here{ $_->{part_of} // '' } ? 'part'
            : !$whole{ $_->{key} } && $divided{ $_->{category} // '' } ? 'aside'
            : 'answer'
    } @indexes;
}

# What a part is called: without the words of the index that it is a part of. Modern Compute is Compute.
sub label {
    my ($index, @indexes) = @_;
    my ($whole) = map { $_->{title} } grep { $_->{key} eq ($index->{part_of} // '') } @indexes;
    return defined $whole ? $index->{title} =~ s/\A\Q$whole\E (?=\S)//r : $index->{title};
}

# The same indexes; those that are no answer know their role, and what they are called.
sub with_roles {
    my (@indexes) = @_;
    my %role = roles(@indexes);
    return map {
        my $role = $role{ $_->{key} };
        $role eq 'answer' ? $_ : { %$_, role => $role, label => label($_, @indexes) }
    } @indexes;
}

# The same indexes; those that say how fast the machine is have what they are for a unit of its price:
#
#   per_price => { unit => 'USD', score => 0.658, interval => [0.649, 0.667] }
sub priced {
    my ($price, @indexes) = @_;
    return @indexes if !$price;
    return map {
        my $limits = $_->{interval};
        defined $_->{role} || $_->{outside} ? $_ : +{
            %$_,
            per_price => {
                defined $price->{unit} ? (unit => $price->{unit}) : (),
                score    => $_->{score} / $price->{amount},
                interval => $limits && [ map { $_ / $price->{amount} } @$limits ]
            }
        }
    } @indexes;
}

# Those of these indexes that are no part of another here.
sub whole {
    my (@indexes) = @_;
    my %here      = map { ($_->{key} // '') => 1 } @indexes;
    return grep { !defined $_->{part_of} || !$here{ $_->{part_of} } } @indexes;
}

# Those of these indexes that say something of their own: a partial one with no other tests than one of its
# parts does not.
sub without_duplicates {
    my (@indexes) = @_;
    my %part      = map { ("$_->{part_of}: @{ $_->{tests} }" => 1) } grep { defined $_->{part_of} } @indexes;
    return grep { !$_->{partial} || !$part{"$_->{key}: @{ $_->{tests} }"} } @indexes;
}

# The product of the indexes of these tests, which are results with a baseline, each to its power; without
# `parts`, which are the powers, their geometric mean: (score => 1910.7, interval => [low, high], precision,
# error, disturbed, clean_score).
sub of_tests {
    my ($parts, @tests) = @_;
    my $score  = _product($parts, map { index_of($_, $_->{score}) } @tests);
    my $clean  = _product($parts, map { index_of($_, $_->{clean_score} // $_->{score}) } @tests);
    my @spread = map { Touchstone::Score::Interval::of_speed($_) } @tests;
    return (
        score => $score,
        _around(
            $score,
            Touchstone::Stats::Confidence::product(
                map { [ $spread[$_], $parts ? $parts->[$_] : 1 / @tests ] } 0 .. $#tests
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
    my ($value, $spread) = @_;
    my $limits = Touchstone::Stats::Confidence::limits($value, $spread);
    return (
        error     => $spread && $spread->{error},
        interval  => $limits,
        precision => $limits && $value > 0 ? ($limits->[1] - $limits->[0]) / 2 / $value : undef
    );
}

1;
