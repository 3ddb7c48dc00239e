# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare::Verdict - figures of a pair of Compare and its tests, as people read them: ratios as
# differences of speed.
#
#   +3.1 %   +2.1 to +4.0 %   +3.1 % ±1.0
#   2.51 ×   2.49 to 2.53 ×
package Touchstone::Report::Compare::Verdict;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

use Touchstone::Base::Figure qw(figure human shown spelled three_digits);
use Touchstone::Base::Symbols qw($DASH $PLUS_MINUS $TIMES signed);
use Touchstone::Base::Direction;
use Touchstone::Base::Text qw(short);
use Touchstone::Suite;

our @EXPORT_OK = qw(difference factor half is_factor label limits scores);

# From this factor on a difference is shown as a factor, not in per cent. Beyond $TINY and $HUGE it is shown
# with an exponent.
our $FACTOR = 2;

# A difference from this on is large, and an interval of this width is wide; no more digits are shown.
my ($LARGE, $WIDE, $MOST) = (0.0995, 0.1, 3);

my ($TINY, $SMALL, $HUGE) = (1e-3, 0.1, 1e6);

# The name of a test has so many letters in a text.
my $TEST = 28;

# A unit has this many letters.
my $UNIT = 12;

# Returns "+3.1 %" for a ratio of 1.031, "3.06 x" for a large one; without a ratio, a dash.
sub difference {
    my ($ratio, $interval) = @_;
    return $DASH if !defined $ratio;
    return is_factor($ratio) ? factor($ratio) : percent($ratio, places($ratio, $interval)) . ' %';
}

sub factor { my ($ratio) = @_; return _factor($ratio) . " $TIMES" }

sub is_factor { my ($ratio) = @_; return $ratio > $FACTOR || $ratio < 1 / $FACTOR }

# Digits after the point of a difference and of the limits of its interval alike, so that it stays within:
# one where it is small, none where the interval is wide, and more where a limit would look like another or
# like the difference.
sub places {
    my ($ratio, $interval) = @_;
    my ($low,   $high)     = @{ $interval || [ $ratio, $ratio ] };
    my $least = abs($ratio - 1) >= $LARGE || $high - $low >= $WIDE ? 0 : 1;
    return $least if $low == $high;
    for my $places ($least .. $MOST) {
        my ($from, $is, $to) = map { percent($_, $places) } $low, $ratio, $high;
        return $places if $from ne $to && ($from ne $is || $low == $ratio) && ($to ne $is || $high == $ratio);
    }
    return $MOST;
}

sub percent {
    my ($ratio, $places) = @_;
    return signed(sprintf '%+.*f', $places, ($ratio - 1) * 100);
}

# Returns "+2.1 to +4.0 %" for an interval of this ratio.
sub limits {
    my ($ratio, $interval) = @_;
    return $DASH                                                    if !$interval || !defined $ratio;
    return join(' to ', map { _factor($_) } @$interval) . " $TIMES" if is_factor($ratio);
    my $places = places($ratio, $interval);
    return join(' to ', map { percent($_, $places) } @$interval) . ' %';
}

# Returns half of that interval, as "±0.9": in per cent, or as a factor like the ratio.
sub half {
    my ($ratio, $interval) = @_;
    return '' if !$interval || !defined $ratio;
    my $half = ($interval->[1] - $interval->[0]) / 2 * (is_factor($ratio) ? 1 : 100);
    return "${PLUS_MINUS}0" if $half == 0;
    return $PLUS_MINUS . sprintf '%.*f', $half >= 9.95 ? 0 : $half >= 0.095 ? 1 : $half >= 0.0095 ? 2 : 3,
        $half;
}

# A small factor has fewer digits, because further ones would be zeros that say nothing.
sub _factor {
    my ($ratio) = @_;
    return $ratio < $SMALL || _is_extreme($ratio)
        ? sprintf '%.3g', $ratio
        : three_digits($ratio);
}

sub _is_extreme { my ($ratio) = @_; return $ratio < $TINY || $ratio >= $HUGE }

# The name of a row. A part of an index has a name for people in every form, and a test has one on a page;
# other forms have the name of the command line, which a text cuts.
sub label {
    my ($row, $form) = @_;
    return
          defined $row->{label} ? $row->{label}
        : $form eq 'html'       ? Touchstone::Suite::shown($row->{name})->{label} // $row->{name}
        : $form eq 'text'       ? short($row->{name}, $TEST)
        :                         $row->{name};
}

# Returns both scores of a test for people, brief ones without their unit; indexes on two scales have none.
sub scores {
    my ($test, $is_brief) = @_;
    return ($DASH, $DASH) if $test->{scaled};
    return map { _index($test->{scores}[$_], ($test->{intervals} || [])->[$_]) } 0, 1
        if !length $test->{unit};
    my ($unit, $divisor) =
        $test->{unit} eq $Touchstone::Base::Direction::SECONDS
        ? @{ Touchstone::Base::Figure::unit_for($test->{scores}[0]) }
        : ($test->{unit}, 1);
    return map {
        my $limits = ($test->{intervals} || [])->[$_];
        human(
            $test->{scores}[$_] * $divisor,
            $limits   && @$limits      ? [ map { $_ * $divisor } @$limits ] : undef,
            $is_brief && $divisor == 1 ? undef                              : short(spelled($unit), $UNIT)
        )
    } 0, 1;
}

sub _index {
    my ($score, $limits) = @_;
    return $limits && @$limits ? figure($score, $limits) : shown($score, undef, 1);
}

# Explains an index that does not cover all of its tests; returns nothing if there is none.
sub of_common {
    return (grep { $_->{of_common} } @_)
        ? 'An index over some of its tests covers those that both runs have in the same version.'
        : ();
}

1;
