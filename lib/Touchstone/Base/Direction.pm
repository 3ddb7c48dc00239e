# SPDX-License-Identifier: GPL-2.0-or-later
# Base::Direction - figures of a test as speeds, of which more is better. A test of fixed work reports the
# seconds that a unit takes, and fewer are better. A test is a row or a result: { better => 'lower', baseline
# => 3.2, ... }.
package Touchstone::Base::Direction;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

our @EXPORT_OK = qw(index_of interval_of is_lower_better);

our $BASELINE_INDEX = 10;

# Programs of fixed work report this unit.
our $SECONDS = 's';

# Reports show seconds in one of these units; the number says how many of the unit make a second.
our %IN_SECOND = (s => 1, ms => 1e3, us => 1e6, ns => 1e9);

sub is_lower_better { my ($test) = @_; return ($test->{better} // '') eq 'lower' }

# Returns the speed of a test with a baseline, relative to the baseline, whose index is `scale`, usually ten.
sub index_of {
    my ($test, $figure) = @_;
    return scale_of($test) *
        (is_lower_better($test) ? $test->{baseline} / $figure : $figure / $test->{baseline});
}

# Returns the index that the baseline of a test, or of an index, has.
sub scale_of { my ($indexed) = @_; return $indexed->{scale} // $BASELINE_INDEX }

# Turns a gain in per cent into a factor.
sub as_times { my ($percent) = @_; return 1 + $percent / 100 }

# Returns the index of a figure. A test without a baseline gives the figure itself, or, if that is in
# seconds, units a second.
sub direction_of {
    my ($test, $figure) = @_;
    return index_of($test, $figure) if defined $test->{baseline};
    return is_lower_better($test) ? 1 / $figure : $figure;
}

# Returns the unit of what `of` gives; an index has no unit.
sub unit_of {
    my ($test) = @_;
    return defined $test->{baseline} ? undef : is_lower_better($test) ? 'units a second' : $test->{unit};
}

# Returns the limits of an interval as speeds, the lower first.
sub interval_of {
    my ($test, $interval) = @_;
    my @limits = map { direction_of($test, $_) } @$interval;
    return is_lower_better($test) ? [ reverse @limits ] : \@limits;
}

1;
