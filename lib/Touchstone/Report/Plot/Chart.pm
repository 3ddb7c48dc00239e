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

use Touchstone::Report::Plot qw(at axis chart element escaped label point through);
use Touchstone::Base::Text qw(short width);

# The text has this many columns.
my $COLUMNS = 80;

# A name is cut after this many letters.
my $LETTERS = 28;

# A scale that reached beyond these would consist of labels only.
my ($LEAST, $MOST) = (1e-15, 1e15);

# The picture has these lengths in its own units, which are pixels if there is room; the height is that of
# the scale.
my ($WIDTH, $HEIGHT, $LEFT, $RIGHT, $TOP) = (900, 462, 62, 205, 26);

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
        @rows,  '', "each digit: the time with that number of $chart->{x}",
        @moved, _without(@$empty)
    );
}

# A label begins at its power of ten, and none touches the one before.
sub _scale {
    my ($place, @powers) = @_;
    my $scale = '';
    for my $power (@powers) {
        my $position = $place->($power);
        $scale .= ' ' x ($position - length $scale) . _label($power)
            if $scale eq '' || $position > length $scale;
    }
    return $scale;
}

# Returns a line of marks, and whether one of them had to move because another is at its place. It moves
# behind the other, or before it where the line ends.
sub _marks {
    my ($place, $last, $line) = @_;
    my %mark;
    for my $point (@{ $line->{points} }) {
        my $mark     = $point->[0] =~ /\A[0-9]\z/ ? $point->[0] : '*';
        my $position = $place->(_log($point->[1]));

        # Stars are all alike, so one stands for several at a place.
        $mark{ $mark eq '*' ? "*$position" : $mark } = [ $position, $mark, $point->[1] ];
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
    my ($x, $y, @ticks) = _axes($lines);
    my @names = _names($y, $lines);

    # This machine is drawn last, so that it is above the others.
    my @drawn = sort { !!$lines->[$a]{this} <=> !!$lines->[$b]{this} || $a <=> $b } 0 .. $#$lines;
    return chart(
        title   => $chart->{title} // '',
        class   => 'wide',
        scrolls => 1,
        x       => $x,
        y       => $y,
        ticks   => \@ticks,
        titles  => [ @$chart{qw(x y)} ],
        room    => $RIGHT,
        content => [ map { _line($x, $y, $lines->[$_], $names[$_]) } @drawn ]
    ) . $note;
}

# Returns both axes and their ticks. The picture grows if it needs room for very many names.
sub _axes {
    my ($lines) = @_;
    my %seen;
    my @x = sort { $a <=> $b } grep { !$seen{$_}++ } map {
        map { $_->[0] }
            @{ $_->{points} }
    } @$lines;
    my @y = _all_y(@$lines);
    my ($from, $to) = (floor(_decade(min(@y))), ceil(_decade(max(@y))));
    $to++ if $to == $from;
    my $bottom = $TOP + max($HEIGHT, $NAME_STEP * @$lines);

    # A single x is placed where the first of several is.
    return (
        axis($x[0],     max($x[-1], $x[0] + 1), $LEFT, $WIDTH - $RIGHT),
        axis(10**$from, 10**$to, $bottom, $TOP, log => 10),
        \@x, [ map { [ 10**$_, _label($_) ] } $from .. $to ]
    );
}

# Returns the heights of the names, at the right end of their lines: as near to it as their order allows, and
# never over each other.
sub _names {
    my ($y, $lines) = @_;
    my @wanted = map  { $y->{at}->($_->{points}[-1][1]) } @$lines;
    my @order  = sort { $wanted[$a] <=> $wanted[$b] || $a <=> $b } 0 .. $#wanted;
    my @down   = _pushed_down($TOP, @wanted[@order]);
    my @up     = map { -$_ } reverse _pushed_down(-$y->{start}, map { -$_ } reverse @wanted[@order]);

    # The mean of both keeps a crowd of names around the ends of its lines. Names outside of the scale are
    # then pushed back.
    my @between = _pushed_down($TOP, map { ($down[$_] + $up[$_]) / 2 } 0 .. $#order);
    my @placed  = map { -$_ } reverse _pushed_down(-$y->{start}, map { -$_ } reverse @between);
    my @heights;
    @heights[@order] = @placed;
    return @heights;
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
    my ($x, $y, $line, $name_y) = @_;
    my ($this, @points) = ($line->{this}, @{ $line->{points} });
    my @marked = $this || @points == 1 ? @points : $points[-1];
    my $right  = $x->{end} + 12;
    my @drawn  = map {
        point($y, $_->[1], $x->{at}->($_->[0]), dot => $this ? 5 : 2, class => $this ? 'mark' : 'faint')
    } @marked;
    unshift @drawn, element(path => { class => $this ? 'line' : 'thin', d => through($x, $y, @points) })
        if @points > 1;
    return element(
        g => {},
        element(title => {}, escaped($line->{name})),
        element(
            path => { class => 'dashed', d => through($x, $y, $points[-1]) . "L$right " . at($name_y) . 'h6' }
        ),
        @drawn,
        label(
            $line->{name},
            class => $this ? 'bold' : 'dim',
            x     => $right + 10,
            y     => at($name_y + $HALF_LETTER)
        )
    );
}

1;
