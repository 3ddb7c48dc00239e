# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Plot::Chart - lines over a few whole numbers, with a logarithmic scale, as lines of text or as SVG
# for a page:
#
#   { title => '...',
#     x     => 'concurrent shells',
#     y     => 'seconds',
#     lines => [ { name => 'VAX', points => [ [1, 4.3], [2, 5.5] ], this => 1 } ] }
#
#   seconds       0.001      0.01       0.1        1          10         100
#   this machine         123 456
#   VAX-11/780                                           1 23456
#
# A point that is not above zero is left out; lines without a point are named below the chart.
package Touchstone::Report::Plot::Chart;
use 5.014;
use strict;
use warnings;

use List::Util qw(min max);
use POSIX qw(floor ceil);
use Scalar::Util qw(looks_like_number);

use Touchstone::Report::Plot qw(escaped element label linear logarithmic at);
use Touchstone::Base::Text qw(short width);

# The text has this many columns.
my $COLUMNS = 80;

# A name is cut after this many letters.
my $LETTERS = 28;

# A scale that reached beyond these would consist of labels only.
my ($LEAST, $MOST) = (1e-15, 1e15);

# The picture has these lengths in its own units, which are pixels if there is room.
my ($WIDTH, $HEIGHT, $LEFT, $RIGHT, $TOP, $BOTTOM) = (900, 520, 62, 205, 12, 46);

# Names are this far apart, and the middle of a letter is this far above the line that it stands on.
my ($NAME_STEP, $HALF_LETTER) = (16, 4);

# Returns the lines that have points, sorted by x, and the names of the others.
sub _drawn {
    my ($chart) = @_;
    my (@drawn, @empty);
    for my $line (@{ $chart->{lines} }) {
        my $name = short($line->{name}, $LETTERS);
        my @points =
            sort { $a->[0] <=> $b->[0] }
            grep { _is_number($_->[0]) && _is_number($_->[1]) && $_->[1] >= $LEAST && $_->[1] <= $MOST }
            @{ $line->{points} };
        if (@points) { push @drawn, { name => $name, points => \@points, this => $line->{this} } }
        else         { push @empty, $name }
    }
    return (\@drawn, \@empty);
}

sub _is_number {
    my ($value) = @_;
    return looks_like_number($value) && abs $value <= $MOST;
}

sub _log { return log($_[0]) / log 10 }

# The result is rounded, because the logarithm of 1000 is a little below 3.
sub _decade { return sprintf '%.9f', _log($_[0]) }

sub _all_y {
    return map {
        map { $_->[1] }
            @{ $_->{points} }
    } @_;
}

# Returns "0.001", "1" or "1000" for a power of ten.
sub _label {
    my ($power) = @_;
    return $power < -6
        || $power > 6 ? "1e$power" : $power < 0 ? sprintf('%.*f', -$power, 10**$power) : 1 . '0' x $power;
}

sub _without {
    my (@names) = @_;
    return @names ? 'no figures: ' . join ', ', @names : ();
}

sub text {
    my ($chart) = @_;
    my ($lines, $empty) = _drawn($chart);
    my @title = length($chart->{title} // '') ? ($chart->{title}, '') : ();
    return (@title, _without(@$empty)) if !@$lines;
    my @y = _all_y(@$lines);
    my ($from, $to) = (floor(_decade(min(@y))), _decade(max(@y)));
    $to = $from + 1 if $to < $from + 1;
    my $names = max(map { width($_) } $chart->{y}, map { $_->{name} } @$lines);

    # The last label begins at its decade and needs room for its letters.
    my $wide  = $COLUMNS - 2 - $names - 2 - length _label(floor($to));
    my $place = sub { return int(($_[0] - $from) / ($to - $from) * $wide + 0.5) };
    my $row   = sub { return '  ' . $_[0] . ' ' x ($names - width($_[0])) . "  $_[1]" };
    my $last  = $COLUMNS - 2 - $names - 2 - 1;
    my @marks = map { [ _marks($place, $last, $_) ] } @$lines;
    my @rows  = map { $row->($lines->[$_]{name}, $marks[$_][0]) } 0 .. $#marks;
    my @moved = (grep { $_->[1] } @marks) ? 'a digit that falls on another stands behind it' : ();
    return (
        @title, $row->($chart->{y}, _scale($place, $from .. floor($to))),
        @rows,  '', "each digit: the time with so many $chart->{x}",
        @moved, _without(@$empty)
    );
}

# A label begins at its power of ten, and none touches the one before.
sub _scale {
    my ($place, @powers) = @_;
    my $scale = '';
    for my $power (@powers) {
        my $at = $place->($power);
        $scale .= ' ' x ($at - length $scale) . _label($power) if $scale eq '' || $at > length $scale;
    }
    return $scale;
}

# Returns a line of marks, and whether one of them had to move because another is at its place. It moves
# behind the other, or before it where the line ends.
sub _marks {
    my ($place, $last, $line) = @_;
    my %mark;
    for my $point (@{ $line->{points} }) {
        my $mark = $point->[0] =~ /\A[0-9]\z/ ? $point->[0] : '*';
        my $at   = $place->(_log($point->[1]));

        # Stars are all alike, so one stands for several at a place.
        $mark{ $mark eq '*' ? "*$at" : $mark } = [ $at, $mark, $point->[1] ];
    }
    my @marks = sort { $a->[2] <=> $b->[2] || $a->[1] cmp $b->[1] } values %mark;
    my @places;
    push @places, @places ? max($_->[0], $places[-1] + 1) : $_->[0] for @marks;
    for my $i (reverse 0 .. $#places) { $places[$i] = max(0, min($places[$i], $last - ($#places - $i))) }
    my $text = ' ' x (1 + max(@places));
    substr $text, $places[$_], 1, $marks[$_][1] for 0 .. $#marks;
    return ($text, scalar grep { $places[$_] != $marks[$_][0] } 0 .. $#marks);
}

# Returns the chart as markup of a figure.
sub svg {
    my ($chart) = @_;
    my ($lines, $empty) = _drawn($chart);
    my $note = join '', map { '<p>' . escaped(ucfirst) . "</p>\n" } _without(@$empty);
    return $note if !@$lines;
    my $at    = _frame($lines);
    my @names = _names($at, $lines);

    # This machine is drawn last, so that it is above the others.
    my @drawn = sort { !!$lines->[$a]{this} <=> !!$lines->[$b]{this} || $a <=> $b } 0 .. $#$lines;
    return Touchstone::Report::Plot::scrolled(
        title   => $chart->{title} // '',
        width   => $WIDTH,
        height  => $at->{height},
        class   => 'wide',
        content => [ _axes($at, $chart), map { _line($at, $lines->[$_], $names[$_]) } @drawn ]
    ) . $note;
}

# Returns where things are: { x => sub, y => sub, xs, powers, bottom, height, right }. The picture grows if
# it needs room for very many names.
sub _frame {
    my ($lines) = @_;
    my @x = map {
        map { $_->[0] }
            @{ $_->{points} }
    } @$lines;
    my @y = _all_y(@$lines);
    my ($from, $to) = (floor(_decade(min(@y))), ceil(_decade(max(@y))));
    $to++ if $to == $from;
    my $bottom = $TOP + max($HEIGHT - $TOP - $BOTTOM, $NAME_STEP * @$lines);
    my $right  = $WIDTH - $RIGHT;
    my %seen;
    return {
        # A single x is placed where the first of several is.
        x      => linear(min(@x), max(max(@x), min(@x) + 1), $LEFT, $right),
        y      => logarithmic(10**$from, 10**$to, $bottom, $TOP),
        xs     => [ grep { !$seen{$_}++ } sort { $a <=> $b } @x ],
        powers => [ $from .. $to ],
        right  => $right,
        bottom => $bottom,
        height => $bottom + $BOTTOM,
    };
}

sub _axes {
    my ($at,     $chart) = @_;
    my ($bottom, $right) = @$at{qw(bottom right)};
    my @powers = map {
        my $y = $at->{y}->(10**$_);
        (
            element(path => { class => 'grid', d => "M$LEFT ${y}H$right" }),
            label(_label($_), class => 'dim end', x => $LEFT - 8, y => at($y + $HALF_LETTER))
        )
    } @{ $at->{powers} };
    my @counts =
        map { label($_, class => 'dim middle', x => $at->{x}->($_), y => $bottom + 18) } @{ $at->{xs} };
    return (
        @powers, @counts,
        label($chart->{x}, class => 'dim middle', x => ($LEFT + $right) / 2, y => $bottom + 38),
        label(
            $chart->{y},
            class     => 'dim middle',
            transform => 'translate(13 ' . at(($TOP + $bottom) / 2) . ') rotate(-90)'
        )
    );
}

# Returns the heights of the names, at the right end of their lines: as near to it as their order allows, and
# never over each other.
sub _names {
    my ($at, $lines) = @_;
    my @wanted = map  { $at->{y}->($_->{points}[-1][1]) } @$lines;
    my @order  = sort { $wanted[$a] <=> $wanted[$b] || $a <=> $b } 0 .. $#wanted;
    my @down   = _pushed_down($TOP, @wanted[@order]);
    my @up     = map { -$_ } reverse _pushed_down(-$at->{bottom}, map { -$_ } reverse @wanted[@order]);

    # The mean of both keeps a crowd of names around the ends of its lines. Names outside of the scale are
    # then pushed back.
    my @between = _pushed_down($TOP, map { ($down[$_] + $up[$_]) / 2 } 0 .. $#order);
    my @placed  = map { -$_ } reverse _pushed_down(-$at->{bottom}, map { -$_ } reverse @between);
    my @y;
    @y[@order] = @placed;
    return @y;
}

# Returns sorted heights, each at least a name below the one before.
sub _pushed_down {
    my ($room, @heights) = @_;
    for my $y (@heights) {
        $y    = max($y, $room);
        $room = $y + $NAME_STEP;
    }
    return @heights;
}

# A dotted line leads from the end of a line to its name.
sub _line {
    my ($at, $line, $name_y) = @_;
    my @points = map { [ $at->{x}->($_->[0]), $at->{y}->($_->[1]) ] } @{ $line->{points} };
    my ($end_x, $end_y) = @{ $points[-1] };
    my $dot   = $line->{this} ? 5      : 2;
    my $class = $line->{this} ? 'mark' : 'faint';
    my @dots =
        map { element(circle => { class => $class, cx => $_->[0], cy => $_->[1], r => $dot }) } $line->{this}
        || @points == 1 ? @points : $points[-1];
    return element(
        g => {},
        element(title => {}, escaped($line->{name})),
        (
            @points > 1
            ? element(
                path => {
                    class => $line->{this} ? 'line' : 'thin',
                    d     => 'M' . join 'L',
                    map { "$_->[0] $_->[1]" } @points
                }
                )
            : ()
        ),
        element(
            path => {
                class => 'dashed',
                d     => "M$end_x ${end_y}L" . ($at->{right} + 12) . ' ' . at($name_y) . 'h6'
            }
        ),
        @dots,
        label(
            $line->{name},
            class => $line->{this} ? 'bold' : 'dim',
            x     => $at->{right} + 22,
            y     => at($name_y + $HALF_LETTER)
        )
    );
}

1;
