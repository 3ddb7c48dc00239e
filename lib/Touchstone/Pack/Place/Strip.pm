# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Place::Strip - results as dots, a row for each class of machines, with a line at the result that is
# placed. Places are percentages of the width, so that it fits on every screen. The scale is logarithmic.
package Touchstone::Pack::Place::Strip;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Pack::Place::Phrases qw(machine number);
use Touchstone::Report::Plot qw(axis bar_line bars element label spaced ticks tip);

our $CSS = <<'CSS';
table.places { width: 100%; table-layout: fixed; }
table.places th:first-child { width: 8.5rem; }
table.places .dots circle { fill: var(--accent); fill-opacity: .6; stroke: none; }
table.places .dots circle:hover { fill-opacity: 1; }
table.places .this { stroke: var(--bad); stroke-width: 2; }
CSS

# The height of a row and of the axis, the radius of a dot, and rows of dots that dodge each other.
my ($HEIGHT, $AXIS, $RADIUS, $LANES) = (26, 16, 3, 3);

# Per cent of the width that stay free at both ends, the most ticks, and the least distance between them.
my ($EDGE, $TICKS, $APART) = (2, 5, 17);

sub scale {
    my ($position, @entries) = @_;
    my @values = ($position->{value}, map { $_->{value} } @entries);
    my ($from, $to) = (min(@values) / 1.1, max(@values) * 1.1);
    my $axis = axis($from, $to, $EDGE, 100 - $EDGE, log => 10);
    return { %$axis, ticks => [ map { $_->[0] } spaced($axis, $APART, map { [$_] } ticks($axis, $TICKS)) ] };
}

sub head {
    my ($scale) = @_;
    my @labels = map {
        my $x   = $scale->{at}->($_);
        my $end = $x < 6 ? '' : $x > 94 ? ' end' : ' middle';
        label(number($_), x => "$x%", y => 12, class => "dim$end")
    } @{ $scale->{ticks} };
    return bars($AXIS, @labels);
}

# The dots of a class.
sub row {
    my ($scale, $position, @entries) = @_;
    my $lane = 0;
    my @dots = map {
        my $y = ($HEIGHT / ($LANES + 1)) * (1 + $lane++ % $LANES);
        element(
            circle => { cx => $scale->{at}->($_->{value}) . '%', cy => sprintf('%.0f', $y), r => $RADIUS },
            tip(number($_->{value}) . ' ' . machine($_))
        )
    } @entries;
    return bars(
        $HEIGHT,
        (map { bar_line($scale, 'grid', $_, $_, 0, $HEIGHT) } @{ $scale->{ticks} }),
        element(g => { class => 'dots' }, @dots),
        bar_line($scale, 'this', ($position->{value}) x 2, 0, $HEIGHT)
    );
}

1;
