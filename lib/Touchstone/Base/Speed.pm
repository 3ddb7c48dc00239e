# SPDX-License-Identifier: GPL-2.0-or-later
# Base::Speed - figures of a test as speeds, of which more is better: of fixed work the figure is the seconds
# of a unit, and less of it is better. A test is a row or a result: { better => 'lower', baseline => 3.2, ...
# }.
package Touchstone::Base::Speed;
use 5.014;
use strict;
use warnings;

our $BASELINE_INDEX = 10;

# What programs of fixed work report in.
our $SECONDS = 's';

# How reports show them: how many of a unit make a second.
our %IN_SECOND = (s => 1, ms => 1e3, us => 1e6, ns => 1e9);

sub is_lower_better { my ($test) = @_; return ($test->{better} // '') eq 'lower' }

# Of a test with a baseline: its speed over that of the baseline, whose index is `scale`, usually ten.
sub index_of {
    my ($test, $figure) = @_;
    return scale_of($test) *
        (is_lower_better($test) ? $test->{baseline} / $figure : $figure / $test->{baseline});
}

# The index of the baseline of a test or of an index.
sub scale_of { my ($indexed) = @_; return $indexed->{scale} // $BASELINE_INDEX }

# How many times its baseline an index is.
sub times { my ($index, $score) = @_; return $score / scale_of($index) }

# A gain in per cent as a factor.
sub times_of_gain { my ($gain) = @_; return 1 + $gain / 100 }

# The index, or without a baseline the figure; of seconds the units in one.
sub of {
    my ($test, $figure) = @_;
    return index_of($test, $figure) if defined $test->{baseline};
    return is_lower_better($test) ? 1 / $figure : $figure;
}

# What the figures of `of` are in; an index has no unit.
sub unit_of {
    my ($test) = @_;
    return defined $test->{baseline} ? undef : is_lower_better($test) ? 'units a second' : $test->{unit};
}

# The limits of an interval as speeds, the lower first.
sub interval_of {
    my ($test, $interval) = @_;
    my @limits = map { of($test, $_) } @$interval;
    return is_lower_better($test) ? [ reverse @limits ] : \@limits;
}

1;
