# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Plot::CopySpread - how far the copies of a pass are apart, as pictures:
#
#                       slower         |         faster
#   Pipe throughput              . ::.:|::. .
#   Process creation    <  . .   ..  ..|. .  ..     .
#                         -2 %         0        +2 %
#
# A dot is the speed of a copy in a pass, relative to the mean of all copies of that pass. The first copy is
# at the top of its row, the last at the bottom. A copy far beyond the others is an arrow at the edge.
package Touchstone::Report::Plot::CopySpread;
use 5.014;
use strict;
use warnings;

use List::Util qw(min max);

use Touchstone::Report::Plot qw(element escaped label linear steps reach at arrow);
use Touchstone::Base::Figure qw(part);
use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Text qw(copies short);

# These are the places of the columns: names, scale.
my ($WIDTH, $LEFT, $RIGHT) = (580, 208, 552);

# These are heights of the head, of what is below the rows, and of half a letter.
my ($HEAD, $FOOT, $HALF_LETTER) = (24, 24, 4.5);
my $LETTERS = 30;

# A row with few copies has a line of dots for each; many copies share lines.
my ($LINE, $MOST_LINES, $PADDING) = (5, 6, 12);

# The rows of a picture are at most this high together: higher ones do not fit on a page of paper.
my $HIGHEST = 800;

# A scale is at least this wide on each side of the mean.
my $NARROWEST = 0.001;

# All tests of a copy count are on one scale.
sub pictures {
    my ($count, @tests) = @_;
    my @rows  = grep { @{ $_->{parts} || [] } } @tests or return;
    my $reach = max(
        $NARROWEST,
        reach(
            12,
            map {
                max(map { abs($_ - 1) } map { @$_ } @{ $_->{parts} })
            } @rows
        )
    );
    my $at    = linear(-$reach, $reach, $LEFT, $RIGHT);
    my $lines = min($count, $MOST_LINES);
    my $high  = $LINE * $lines + $PADDING;
    return
        map { _figure({ at => $at, reach => $reach, lines => $lines, high => $high }, @$_) }
        Touchstone::Report::Plot::sheets(copies($count), int($HIGHEST / $high), @rows);
}

sub _figure {
    my ($scale, $title, @rows) = @_;
    my $high    = $scale->{high};
    my $bottom  = $HEAD + $high * @rows;
    my @content = (
        _frame($scale, $bottom),
        map { _row($scale, { %{ $rows[$_] }, y => $HEAD + $high * $_ }) } 0 .. $#rows
    );
    return Touchstone::Report::Plot::scrolled(
        title   => $title,
        width   => $WIDTH,
        height  => $bottom + $FOOT,
        class   => 'plot',
        content => \@content,
        says    => "Spread between copies, $title. The table has the figures."
    );
}

sub _frame {
    my ($scale, $bottom) = @_;
    my @grid;
    for my $percent (steps(-$scale->{reach} * 100, $scale->{reach} * 100, 6)) {
        my $x = $scale->{at}->($percent / 100);
        push @grid, element(path => { class => $percent ? 'grid' : 'axis', d => "M$x ${HEAD}V$bottom" }),
            label(
            $percent ? sprintf '%+g %%', $percent : '0',
            class => 'middle dim',
            x     => $x,
            y     => $bottom + 16
            );
    }
    return (
        @grid,
        label('slower than the mean', class => 'dim',     x => $LEFT,  y => 13),
        label('faster',               class => 'end dim', x => $RIGHT, y => 13)
    );
}

sub _row {
    my ($scale, $row) = @_;
    my $middle = $row->{y} + $scale->{high} / 2;
    my ($dots, @sides)      = _dots($scale, $row);
    my ($typical, $largest) = map { defined $_ ? part($_) : $DASH } @$row{qw(middle largest)};
    return join '',
        label(
        short($row->{title}, $LETTERS),
        class => 'row',
        x     => 0,
        y     => at($middle + $HALF_LETTER)
        ),
        (length $dots ? element(path => { class => 'dots', d => $dots }) : ()),
        (map { arrow($_ > 0 ? $RIGHT : $LEFT, $middle, $_, class => 'mark') } @sides),
        element(
        rect => { class => 'whole', x => 0, y => $row->{y}, width => $WIDTH, height => $scale->{high} },
        element(title => {}, escaped("$row->{title}: median spread $typical, largest $largest"))
        );
}

# Returns all dots as one path, and the sides on which copies are beyond the scale. A dot is a line without
# length with round ends, and adjacent dots are one line, so that thousands of them stay small.
sub _dots {
    my ($scale, $row) = @_;
    my (@places, %beyond);
    for my $parts (@{ $row->{parts} }) {
        for my $copy (0 .. $#$parts) {
            my $away = $parts->[$copy] - 1;
            if (abs $away > $scale->{reach}) { $beyond{ $away <=> 0 } = 1 }
            else { $places[ $copy * $scale->{lines} / @$parts ]{ sprintf '%.0f', $scale->{at}->($away) } = 1 }
        }
    }
    my $dots = '';
    for my $line (0 .. $#places) {
        my $y = at($row->{y} + ($PADDING + $LINE) / 2 + $LINE * $line);
        $dots .= join '', map { "M$_->[0] ${y}h$_->[1]" } _runs(keys %{ $places[$line] || {} });
    }
    return ($dots, sort { $a <=> $b } keys %beyond);
}

# Turns whole numbers into runs, [first, how many follow without a gap].
sub _runs {
    my @runs;
    for my $place (sort { $a <=> $b } @_) {
        if   (@runs && $place == $runs[-1][0] + $runs[-1][1] + 1) { $runs[-1][1]++ }
        else                                                      { push @runs, [ $place, 0 ] }
    }
    return @runs;
}

1;
