# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare::Verdict - how reports put a pair of Compare and its tests into words and figures:
#
#   index, 1 copy: faster (+3.1 %, +2.1 % to +4.0 %)
#   faster: pipe (+3.1 %), dc (2.51x)
package Touchstone::Report::Compare::Verdict;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure;
use Touchstone::Base::Speed;
use Touchstone::Base::Text;
use Touchstone::Compare;

# From this factor on a difference is a factor and no per cent; beyond these it is a power of ten.
our $FACTOR = 2;

# Behind the point of a ratio without an interval, at most.
my $PLACES = 3;
my ($TINY, $SMALL, $HUGE) = (1e-3, 0.1, 1e6);

# What matters most comes first.
sub order {
    return (
        $Touchstone::Compare::SLOWER,  $Touchstone::Compare::FASTER, $Touchstone::Compare::SAME,
        $Touchstone::Compare::UNKNOWN, $Touchstone::Compare::UNLIKE
    );
}

# What a person wants to know first. `counted`: how many do not differ, and not which.
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
            map { Touchstone::Base::Text::named($_) . ($detail ? ' (' . difference($_->{ratio}) . ')' : '') }
                @tests
            );
    }
    return @points ? [ points => @points ] : ();
}

sub _index_line {
    my ($index) = @_;
    my $copies = Touchstone::Base::Text::copies($index->{copies});
    my $interval =
        $index->{interval}
        ? ', ' . join ' to ', map { difference($_, $index->{ratio}) } @{ $index->{interval} }
        : '';
    return "$index->{name}, $copies: $index->{verdict} (" . difference($index->{ratio}) . "$interval)";
}

# "+3.1 %" of a ratio of 1.031, "3.06x" of a large one. `beside`: the ratio that decides which, when this is a
# limit of it.
sub difference {
    my ($ratio, $beside) = @_;
    return '---' if !defined $ratio;
    $beside //= $ratio;
    return _factor($ratio) . 'x' if $beside > $FACTOR || $beside < 1 / $FACTOR;
    my $text = sprintf '%+.*f %%', abs($ratio - 1) < 0.1 ? 1 : 0, ($ratio - 1) * 100;
    return $text =~ s/^-(0(?:\.0)? %)/+$1/r;
}

# Zeros behind the digits of a small one would say nothing.
sub _factor {
    my ($ratio) = @_;
    return $ratio < $SMALL || _is_extreme($ratio)
        ? sprintf '%.3g', $ratio
        : Touchstone::Base::Figure::three_digits($ratio);
}

# With the digits that an interval supports; one without a width supports one more than a ratio has without
# any.
sub _within {
    my ($ratio, @limits) = @_;
    return $limits[1] > $limits[0] ? Touchstone::Base::Figure::figure($ratio, \@limits) : sprintf '%.*f',
        $PLACES + 1, $ratio;
}

sub _is_extreme { my ($ratio) = @_; return $ratio < $TINY || $ratio >= $HUGE }

# The unit of a test, and both scores in it; not of indexes that are on two scales.
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

# Without an interval it has four digits, as on a page.
sub _score {
    my ($score, $limits) = @_;
    return @{ $limits || [] }
        ? Touchstone::Base::Figure::figure($score, $limits)
        : Touchstone::Base::Figure::shown($score);
}

# What the name of an index means that is not of all its tests; nothing where there is none.
sub of_common {
    return (grep { $_->{of_common} } @_)
        ? 'An index of so many tests is of those that both runs have, in one version.'
        : ();
}

# The ratio of both, and its interval.
sub ratio {
    my ($test) = @_;
    my ($ratio, $interval) = @$test{qw(ratio interval)};
    return ('---', '---') if !defined $ratio;
    my $shown = _is_extreme($ratio) ? sub { sprintf '%.3g', $_[0] } : $interval ? sub {
        _within($_[0], @$interval);
        }
        : sub { Touchstone::Base::Figure::shown($_[0], undef, $PLACES) };
    return ($shown->($ratio), $interval ? join(' to ', map { $shown->($_) } @$interval) : '---');
}

1;
