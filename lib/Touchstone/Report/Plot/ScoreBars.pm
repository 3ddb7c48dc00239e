# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Plot::ScoreBars - the bars of a table of results: in each row one for every copy count, from 0 to
# the index of the test, and an axis for the head of the column. The scale is linear. A thin line is the 95 %
# interval.
#
#   0          500        1000
#   ############-+-
#   #################-+-
#
# Places are percentages of the width, so that letters are as large on a narrow screen as on a wide one. The
# figures stand beside the bars, so the pictures are hidden from those who have the page read to them.
package Touchstone::Report::Plot::ScoreBars;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Base::Figure qw(thousands);
use Touchstone::Report::Plot qw(at bar_line bars element label ticks tip);

# Heights of the bars of a row by their number, from a bar to the next beyond it, and of the axis. More bars
# than these are as high as the last.
my @BAR = (11, 9, 7, 5, 4);
my ($GAP, $EDGE, $AXIS) = (2, 3, 16);

# The scale ends here, in per cent of the width: the last letters of the axis need room. A narrow screen has
# room for this many ticks. The bars of the last copy count are this solid. The line of the reference is at
# least at this part of the scale.
my ($RIGHT, $TICKS, $PALE, $FAR) = (95, 5, 0.4, 0.05);

# No machine has an index beyond this.
my $HIGHEST = 1e15;

# Returns an axis with its ticks and the index of the reference, `base`. A bar is { index, interval }.
sub scale {
    my ($base, @bars) = @_;
    my $to   = max($base, grep { $_ <= $HIGHEST } map { ($_->{index}, @{ $_->{interval} || [] }) } @bars);
    my $axis = Touchstone::Report::Plot::axis(0, $to, 0, $RIGHT, base => $base);
    return { %$axis, ticks => [ ticks($axis, $TICKS) ] };
}

# Returns the axis for the head of the column.
sub axis {
    my ($scale) = @_;
    my @ticks   = @{ $scale->{ticks} };
    my @labels  = map {
        my $x     = $scale->{at}->($ticks[$_]);
        my $where = $x < 5 ? '' : $x > $RIGHT - 5 ? ' end' : ' middle';
        $where .= ' roomy' if $_ % 2 && @ticks > 3;
        label(_tick($ticks[$_]), x => ($where =~ /end/ ? 100 : $x) . '%', y => 12, class => "dim$where")
    } 0 .. $#ticks;
    return bars($AXIS, @labels);
}

# Returns "100", "10 k", "1 M"; a stranger's record may have any.
sub _tick {
    my ($value) = @_;
    return sprintf '%.0e', $value if $value >= 1e9;
    my ($divisor, $letter) = thousands($value);
    return $value / $divisor . ($letter && " $letter");
}

# Returns the bars of a row, { index, interval, solid, tip } each, or undef where there is none. A line stands
# at the index of the reference, if that is far enough from 0.
sub row {
    my ($scale, @bars) = @_;
    my $bar    = $BAR[ min($#bars, $#BAR) ];
    my $height = 2 * $EDGE + @bars * ($bar + $GAP) - $GAP;
    my @drawn  = map { bar_line($scale, 'grid', $_, $_, 0, $height) } @{ $scale->{ticks} };
    push @drawn, bar_line($scale, 'base', ($scale->{base}) x 2, 0, $height)
        if $scale->{base} >= $FAR * $scale->{to};
    for my $place (grep { $bars[$_] && $bars[$_]{index} > 0 } 0 .. $#bars) {
        my ($y, $entry) = ($EDGE + $place * ($bar + $GAP), $bars[$place]);
        my %bar = (x => 0, width => $scale->{at}->($entry->{index}) . '%', y => $y, height => $bar);
        push @drawn,
            element(rect => { %bar, class => 'bar', 'fill-opacity' => $entry->{solid} }, tip($entry->{tip}));
        push @drawn, bar_line($scale, 'whisker', @{ $entry->{interval} }, ($y + $bar / 2) x 2)
            if ($entry->{interval} || [0])->[0] > 0;
    }
    return bars($height, @drawn);
}

# How solid the bars of each of these copy counts are: the first are whole.
sub solidity {
    my ($many) = @_;
    return map { sprintf '%.2g', 1 - (1 - $PALE) * ($many > 1 ? $_ / ($many - 1) : 0) } 0 .. $many - 1;
}

# Returns a small bar for a legend.
sub key {
    my ($solid) = @_;
    my %size = (width => 18, height => 9);
    return element(
        svg => { %size, 'aria-hidden' => 'true' },
        element(rect => { %size, class => 'bar', 'fill-opacity' => $solid })
    );
}

1;
