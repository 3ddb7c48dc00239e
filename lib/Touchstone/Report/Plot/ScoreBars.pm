# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Plot::ScoreBars - the bars of a table of results: in each row one for every copy count, from the
# index of the reference to that of the test, and an axis for the head of the column. The scale is
# logarithmic, so that equal lengths are equal factors. A thin line is the 95 % interval.
#
#   10         100        1000
#   ############-+-
#   #################-+-
#
# Places are percentages of the width, so that letters are as large on a narrow screen as on a wide one. The
# figures stand beside the bars, so the pictures are hidden from those who have the page read to them.
package Touchstone::Report::Plot::ScoreBars;
use 5.014;
use strict;
use warnings;

use List::Util qw(min max);

use Touchstone::Report::Plot qw(at decades element escaped label logarithmic steps);

# Heights of the bars of a row by their number, from a bar to the next beyond it, and of the axis. More bars
# than these are as high as the last.
my @BAR = (11, 9, 7, 5, 4);
my ($GAP, $EDGE, $AXIS) = (2, 3, 16);

# The scale ends here, in per cent of the width: the last letters of the axis need room.
my $RIGHT = 95;

# A narrow screen has room for so many ticks. The bars of the last copy count are this solid.
my ($TICKS, $PALE) = (5, 0.4);

# A scale spans at least a tenth up and down from the reference.
my $LEAST = 1.1;

# No machine has an index beyond these.
my ($LOWEST, $HIGHEST) = (1e-12, 1e15);

# Returns { at => a function from indexes to places, from, to, base }. A bar is { index, interval }.
sub scale {
    my ($base, @bars) = @_;
    my @values = grep { $_ >= $LOWEST && $_ <= $HIGHEST } $base,
        map { ($_->{index}, @{ $_->{interval} || [] }) } @bars;
    my ($low, $high) = (min(@values), max(@values));
    my $to    = max($high, $base * $LEAST);
    my $from  = $low < $base || $to == $base * $LEAST ? min($low, $base / $LEAST) : $base;
    my $place = logarithmic($from, $to, 0, $RIGHT);
    my %scale = (
        at   => sub { return $place->(min(max($_[0], $from), $to)) },
        from => $from,
        to   => $to,
        base => $base
    );
    $scale{ticks} = [ _ticks(\%scale) ];
    return \%scale;
}

sub _ticks {
    my ($scale) = @_;
    my @ticks = decades(@$scale{qw(from to)});
    @ticks = steps(@$scale{qw(from to)}, 4) if @ticks < 3;
    my $every = 1 + int(@ticks / ($TICKS + 1));
    return @ticks[ grep { $_ % $every == 0 } 0 .. $#ticks ];
}

# Returns the axis for the head of the column.
sub axis {
    my ($scale) = @_;
    my @labels = map {
        my $x = $scale->{at}->($_);
        label(
            _tick($_),
            x     => $x > $RIGHT - 5 ? "100%" : "$x%",
            y     => 12,
            class => $x < 5 ? 'dim' : $x > $RIGHT - 5 ? 'dim end' : 'dim middle'
        )
    } @{ $scale->{ticks} };
    return element(svg => { class => 'bars', height => $AXIS, 'aria-hidden' => 'true' }, @labels);
}

# Returns "100", "10 k", "1 M"; a stranger's record may have any.
sub _tick {
    my ($value) = @_;
    return sprintf '%.0e', $value if $value >= 1e9;
    return $value >= 1e6 ? $value / 1e6 . ' M' : $value >= 1e4 ? $value / 1e3 . ' k' : $value;
}

# Returns the bars of a row, { index, interval, solid, tip } each, or undef where there is none.
sub row {
    my ($scale, @bars) = @_;
    my $bar    = $BAR[ min($#bars, $#BAR) ];
    my $height = 2 * $EDGE + @bars * ($bar + $GAP) - $GAP;
    my @drawn  = map { _upright($scale->{at}->($_), $height) } @{ $scale->{ticks} };
    for my $place (grep { defined $bars[$_] } 0 .. $#bars) {
        push @drawn, _bar($scale, $EDGE + $place * ($bar + $GAP), $bar, $bars[$place]);
    }
    return element(svg => { class => 'bars', height => $height, 'aria-hidden' => 'true' }, @drawn);
}

sub _upright {
    my ($x, $height) = @_;
    return element(line => { x1 => "$x%", x2 => "$x%", y1 => 0, y2 => $height, class => 'grid' });
}

# An index of zero or less has no place on a logarithmic scale, but its figure stands in the table.
sub _bar {
    my ($scale, $top, $height, $bar) = @_;
    return if $bar->{index} <= 0;
    my ($from, $to) = map { $scale->{at}->($_) } $scale->{base}, $bar->{index};
    my %place =
        (x => min($from, $to) . '%', width => at(abs($to - $from)) . '%', y => $top, height => $height);
    return (
        element(
            rect => { %place, class => 'bar', 'fill-opacity' => $bar->{solid} },
            element(title => {}, escaped($bar->{tip}))
        ),
        _whisker($scale, $top + $height / 2, $bar)
    );
}

# An interval that begins at zero or below has no place on the scale.
sub _whisker {
    my ($scale, $y, $bar) = @_;
    return if ($bar->{interval} || [0])->[0] <= 0;
    my ($low, $high) = map { $scale->{at}->($_) } @{ $bar->{interval} };
    return element(line => { x1 => "$low%", x2 => "$high%", y1 => $y, y2 => $y, class => 'whisker' });
}

# How solid the bars of each of so many copy counts are: the first are whole.
sub solidity {
    my ($many) = @_;
    return map { sprintf '%.2g', 1 - (1 - $PALE) * ($many > 1 ? $_ / ($many - 1) : 0) } 0 .. $many - 1;
}

# Returns a small bar for a legend.
sub key {
    my ($solid) = @_;
    return element(
        svg => { width => 18, height => 9, 'aria-hidden' => 'true' },
        element(rect => { width => 18, height => 9, class => 'bar', 'fill-opacity' => $solid })
    );
}

1;
