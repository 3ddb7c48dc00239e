# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare::Verdict - words and figures for a pair of Compare and its tests:
#
#   index, 1 copy: faster (+3.1 %, +2.1 % to +4.0 %)
#   faster: pipe (+3.1 %), dc (2.51x)
package Touchstone::Report::Compare::Verdict;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(figure shown three_digits);
use Touchstone::Base::Speed;
use Touchstone::Base::Text qw(copies named);
use Touchstone::Compare;

# From this factor on a difference is shown as a factor, not in per cent. Beyond $TINY and $HUGE it is shown
# with an exponent.
our $FACTOR = 2;

# A ratio without an interval has at most this many digits after the point.
my $PLACES = 3;
my ($TINY, $SMALL, $HUGE) = (1e-3, 0.1, 1e6);

# The verdicts that matter most come first.
sub order {
    return (
        $Touchstone::Compare::SLOWER,  $Touchstone::Compare::FASTER,   $Touchstone::Compare::SAME,
        $Touchstone::Compare::UNKNOWN, $Touchstone::Compare::UNTESTED, $Touchstone::Compare::UNLIKE
    );
}

# Returns what people want to know first. With `counted` it says how many tests do not differ, not which.
sub in_short {
    my ($pair, %with) = @_;
    my %named;
    push @{ $named{ $_->{verdict} } }, $_ for @{ $pair->{tests} };
    my @points = map { _index_line($_) } @{ $pair->{indexes} };
    for my $verdict (order()) {
        my @tests  = @{ $named{$verdict} || [] } or next;
        my $detail = $verdict eq $Touchstone::Compare::SLOWER || $verdict eq $Touchstone::Compare::FASTER;
        push @points,
            "$verdict: "
            . (
            $with{counted} && !$detail ? @tests . (@tests == 1 ? ' score' : ' scores') : join ', ',
            map { named($_) . ($detail ? ' (' . difference($_->{ratio}) . ')' : '') } @tests
            );
    }
    return @points ? [ points => @points ] : ();
}

sub _index_line {
    my ($index) = @_;
    my $copies = copies($index->{copies});
    my $interval =
        $index->{interval}
        ? ', ' . join ' to ', map { difference($_, $index->{ratio}) } @{ $index->{interval} }
        : '';
    return "$index->{name}, $copies: $index->{verdict} (" . difference($index->{ratio}) . "$interval)";
}

# Returns "+3.1 %" for a ratio of 1.031, "3.06x" for a large one. For a limit of an interval, `beside` is the
# ratio that decides between these forms.
sub difference {
    my ($ratio, $beside) = @_;
    return '---' if !defined $ratio;
    $beside //= $ratio;
    return _factor($ratio) . 'x' if $beside > $FACTOR || $beside < 1 / $FACTOR;
    my $text = sprintf '%+.*f %%', abs($ratio - 1) < 0.1 ? 1 : 0, ($ratio - 1) * 100;
    return $text =~ s/^-(0(?:\.0)? %)/+$1/r;
}

# A small factor has fewer digits, because further ones would be zeros that say nothing.
sub _factor {
    my ($ratio) = @_;
    return $ratio < $SMALL || _is_extreme($ratio)
        ? sprintf '%.3g', $ratio
        : three_digits($ratio);
}

# Shows a ratio with the digits that its interval supports. An interval without a width supports one digit
# more than $PLACES.
sub _within {
    my ($ratio, @limits) = @_;
    return $limits[1] > $limits[0] ? figure($ratio, \@limits) : sprintf '%.*f', $PLACES + 1, $ratio;
}

sub _is_extreme { my ($ratio) = @_; return $ratio < $TINY || $ratio >= $HUGE }

# Returns the unit of a test and both scores in it; indexes on two scales have neither.
sub scores {
    my ($test) = @_;
    return ('', '---', '---') if $test->{scaled};
    my ($unit, $by) =
        $test->{unit} eq $Touchstone::Base::Speed::SECONDS
        ? @{ Touchstone::Base::Figure::unit_for($test->{scores}[0]) }
        : ($test->{unit}, 1);
    my @limits = map {
        $_
            ? [ map { $_ * $by } @$_ ]
            : undef
    } @{ $test->{intervals} };
    return ($unit, map { _score($test->{scores}[$_] * $by, $limits[$_]) } 0, 1);
}

# Shows a score; without an interval it has four digits, as on a page.
sub _score {
    my ($score, $limits) = @_;
    return @{ $limits || [] }
        ? figure($score, $limits)
        : shown($score);
}

# Explains an index that does not cover all of its tests; returns nothing if there is none.
sub of_common {
    return (grep { $_->{of_common} } @_)
        ? 'An index of so many tests is of those that both runs have, in one version.'
        : ();
}

# Returns the ratio of both scores, and its interval.
sub ratio {
    my ($test) = @_;
    my ($ratio, $interval) = @$test{qw(ratio interval)};
    return ('---', '---') if !defined $ratio;
    my $shown = _is_extreme($ratio) ? sub { sprintf '%.3g', $_[0] } : $interval ? sub {
        _within($_[0], @$interval);
        }
        : sub { shown($_[0], undef, $PLACES) };
    return ($shown->($ratio), $interval ? join(' to ', map { $shown->($_) } @$interval) : '---');
}

1;
