# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Chart - lines over a few whole numbers, with a logarithmic scale, as lines of text or as SVG for a page:
#
#   { title => '...', x => 'concurrent shells', y => 'seconds', lines => [ { name => 'VAX', points => [ [1, 4.3], [2, 5.5] ], this => 1 } ] }
#
#   seconds       0.001      0.01       0.1        1          10         100
#   this machine         123 456
#   VAX-11/780                                           1 23456
#
# Points that are not above zero are left out; lines without a point are named below.
package Touchstone::Report::Chart;
use 5.014;
use strict;
use warnings;

use List::Util qw(min max);
use POSIX qw(floor ceil);
use Scalar::Util qw(looks_like_number);

use Touchstone::Report::Markup;
use Touchstone::Text;

# Columns of the text.
my $COLUMNS = 100;
# Names are cut to so many letters.
my $LETTERS = 28;
# Beyond these a scale would be nothing but its labels.
my ($LEAST, $MOST) = (1e-15, 1e15);
# Of the picture, in its own units, which are pixels where there is room.
my ($WIDTH, $HEIGHT, $LEFT, $RIGHT, $TOP, $BOTTOM) = (900, 520, 62, 205, 12, 46);
# From a name to the next, and what a name is below the middle of its letters.
my ($NAME_STEP, $HALF_LETTER) = (16, 4);

# Lines that have points, sorted by x, and the names of those that have none.
sub _drawn {
    my ($chart) = @_;
    my (@drawn, @empty);
    for my $line (@{ $chart->{lines} }) {
        my $name = Touchstone::Text::short($line->{name}, $LETTERS);
        my @points = sort { $a->[0] <=> $b->[0] } grep { _is_number($_->[0]) && _is_number($_->[1]) && $_->[1] >= $LEAST && $_->[1] <= $MOST } @{ $line->{points} };
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

# Rounded, because the logarithm of 1000 is a little below 3.
sub _decade { return sprintf '%.9f', _log($_[0]) }

sub _all_y { return map { map { $_->[1] } @{ $_->{points} } } @_ }

# "0.001", "1", "1000" of a power of ten.
sub _label {
    my ($power) = @_;
    return $power < -6 || $power > 6 ? "1e$power" : $power < 0 ? sprintf('%.*f', -$power, 10**$power) : 1 . '0' x $power;
}

sub _without {
    my (@names) = @_;
    return @names ? 'without figures: ' . join ', ', @names : ();
}

# Where two points fall on one place the higher x is shown.
sub text {
    my ($chart) = @_;
    my ($lines, $empty) = _drawn($chart);
    my @title = length($chart->{title} // '') ? ($chart->{title}, '') : ();
    return (@title, _without(@$empty)) if !@$lines;
    my @y = _all_y(@$lines);
    my ($from, $to) = (floor(_decade(min(@y))), _decade(max(@y)));
    $to = $from + 1 if $to < $from + 1;
    my $names = max(map { Touchstone::Text::width($_) } $chart->{y}, map { $_->{name} } @$lines);
    # The last label begins at its decade and needs room for its letters.
    my $wide  = $COLUMNS - 2 - $names - 2 - length _label(floor($to));
    my $place = sub { return int(($_[0] - $from) / ($to - $from) * $wide + 0.5) };
    my $row   = sub { return '  ' . $_[0] . ' ' x ($names - Touchstone::Text::width($_[0])) . "  $_[1]" };
    my $digits = 'each digit: the time with so many ' . $chart->{x};
    return (@title, $row->($chart->{y}, _scale($place, $from .. floor($to))), (map { $row->($_->{name}, _marks($place, $_)) } @$lines), '', $digits, _without(@$empty));
}

# A label begins where its power of ten is; none touches the one before.
sub _scale {
    my ($place, @powers) = @_;
    my $scale = '';
    for my $power (@powers) {
        my $at = $place->($power);
        $scale .= ' ' x ($at - length $scale) . _label($power) if $scale eq '' || $at > length $scale;
    }
    return $scale;
}

sub _marks {
    my ($place, $line) = @_;
    my $marks = '';
    for my $point (@{ $line->{points} }) {
        my $at = $place->(_log($point->[1]));
        $marks .= ' ' x ($at + 1 - length $marks) if length $marks <= $at;
        substr $marks, $at, 1, $point->[0] =~ /\A[0-9]\z/ ? $point->[0] : '*';
    }
    return $marks;
}

# A figure for a page: markup. Colours are those of the page, so that it is dark where the page is.
sub svg {
    my ($chart) = @_;
    my ($lines, $empty) = _drawn($chart);
    my $title = Touchstone::Report::Markup::text($chart->{title});
    my $note  = join '', map { '<p>' . Touchstone::Report::Markup::text(ucfirst) . "</p>\n" } _without(@$empty);
    return $note if !@$lines;
    my $at    = _frame($lines);
    my @names = _names($at, $lines);
    # This machine last: over the others.
    my @drawn = sort { !!$lines->[$a]{this} <=> !!$lines->[$b]{this} || $a <=> $b } 0 .. $#$lines;
    return join '', qq{<figure style="margin:1rem 0">\n<figcaption style="font-weight:600">$title</figcaption>\n},
        qq{<svg viewBox="0 0 $WIDTH $at->{height}" role="img" aria-label="$title" },
        qq{style="display:block;width:100%;max-width:${WIDTH}px;height:auto;font:13px system-ui,sans-serif;fill:currentColor">\n},
        _axes($at, $chart), (map { _line($at, $lines->[$_], $names[$_]) } @drawn), "</svg>\n</figure>\n$note";
}

# Where things are: { x => sub, y => sub, xs, powers, bottom, height, right }. With very many lines it grows to hold their names.
sub _frame {
    my ($lines) = @_;
    my @x = map { map { $_->[0] } @{ $_->{points} } } @$lines;
    my @y = _all_y(@$lines);
    my ($first, $last) = (min(@x), max(@x));
    my ($from, $to)    = (floor(_decade(min(@y))), ceil(_decade(max(@y))));
    $to++ if $to == $from;
    my $tall  = max($HEIGHT - $TOP - $BOTTOM, $NAME_STEP * @$lines);
    my $right = $WIDTH - $RIGHT;
    my $part  = $last > $first ? ($right - $LEFT) / ($last - $first) : 0;
    my %seen;
    return {
        x => sub { return sprintf '%.1f', $LEFT + ($_[0] - $first) * $part }, y => sub { return sprintf '%.1f', $TOP + ($to - $_[0]) / ($to - $from) * $tall },
        xs => [ grep { !$seen{$_}++ } sort { $a <=> $b } @x ], powers => [ $from .. $to ], right => $right, bottom => $TOP + $tall, height => $TOP + $tall + $BOTTOM,
    };
}

sub _axes {
    my ($at, $chart) = @_;
    my ($left, $bottom, $right) = ($LEFT, $at->{bottom}, $at->{right});
    my ($x, $y) = map { Touchstone::Report::Markup::text($_) } @$chart{qw(x y)};
    my @grid   = map { my $y = $at->{y}->($_); qq{<path d="M$left ${y}H$right"/>} } @{ $at->{powers} };
    my @powers = map { sprintf '<text x="%s" y="%.1f">%s</text>', $left - 8, $at->{y}->($_) + $HALF_LETTER, _label($_) } @{ $at->{powers} };
    my @counts = map { sprintf '<text x="%s" y="%s">%s</text>', $at->{x}->($_), $bottom + 18, $_ } @{ $at->{xs} };
    my $middle = ($left + $right) / 2;
    return join '', qq{<g style="stroke:var(--line,#8884)">\n}, (map { "$_\n" } @grid), qq{</g>\n<g style="fill:var(--dim,#888)">\n<g text-anchor="end">\n}, (map { "$_\n" } @powers),
        qq{</g>\n<g text-anchor="middle">\n}, (map { "$_\n" } @counts), sprintf(qq{<text x="%s" y="%s">%s</text>\n}, $middle, $bottom + 38, $x),
        sprintf(qq{<text transform="translate(13 %s) rotate(-90)">%s</text>\n</g>\n</g>\n}, ($TOP + $bottom) / 2, $y);
}

# Heights of the names, at the right of where their lines end: as near to it as their order allows, and never over each other.
sub _names {
    my ($at, $lines) = @_;
    my @wanted = map { $at->{y}->(_log($_->{points}[-1][1])) } @$lines;
    my @order  = sort { $wanted[$a] <=> $wanted[$b] || $a <=> $b } 0 .. $#wanted;
    my @down = _pushed_down($TOP, @wanted[@order]);
    my @up   = map { -$_ } reverse _pushed_down(-$at->{bottom}, map { -$_ } reverse @wanted[@order]);
    # Half way between the two a crowd is around where its lines end; what then is outside is pushed back.
    my @between = _pushed_down($TOP, map { ($down[$_] + $up[$_]) / 2 } 0 .. $#order);
    my @placed  = map { -$_ } reverse _pushed_down(-$at->{bottom}, map { -$_ } reverse @between);
    my @y;
    @y[@order] = @placed;
    return @y;
}

# Sorted heights, each at least a name below the one before.
sub _pushed_down {
    my ($room, @heights) = @_;
    for my $y (@heights) {
        $y = max($y, $room);
        $room = $y + $NAME_STEP;
    }
    return @heights;
}

# From the end of a line a thin one leads to its name.
sub _line {
    my ($at, $line, $name_y) = @_;
    my $name   = Touchstone::Report::Markup::text($line->{name});
    my @points = map { [ $at->{x}->($_->[0]), $at->{y}->(_log($_->[1])) ] } @{ $line->{points} };
    my ($end_x, $end_y) = @{ $points[-1] };
    my $colour = $line->{this} ? 'var(--accent,currentColor)' : 'var(--dim,#888)';
    my $width  = $line->{this} ? 3 : 1.2;
    my $dot    = $line->{this} ? 5 : 2;
    my @dots   = map { qq{<circle cx="$_->[0]" cy="$_->[1]" r="$dot"/>} } $line->{this} || @points == 1 ? @points : $points[-1];
    return join '', qq{<g style="stroke:$colour;fill:none;stroke-width:$width;stroke-linejoin:round">\n<title>$name</title>\n},
        (@points > 1 ? '<path d="M' . join('L', map { "$_->[0] $_->[1]" } @points) . qq{"/>\n} : ()),
        sprintf(qq{<path d="M%s %sL%s %.1fh6" style="stroke-width:1;stroke-dasharray:1 3"/>\n}, $end_x, $end_y, $at->{right} + 12, $name_y),
        qq{<g style="fill:$colour;stroke:none">@dots\n},
        sprintf(qq{<text x="%s" y="%.1f"%s>%s</text></g>\n</g>\n}, $at->{right} + 22, $name_y + $HALF_LETTER, $line->{this} ? ' font-weight="700"' : '', $name);
}

1;
