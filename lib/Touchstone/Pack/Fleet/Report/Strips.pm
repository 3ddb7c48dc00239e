# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Report::Strips - all hosts of a group as pictures: from left to right the slowest to the
# fastest over all figures, upwards their speed compared with the median of the group, with its interval:
#
#          |                          o
#      0 --+------------o--o--o--o--o----
#          |      o--o
#          |   v
#              web09
#
# The picture of the mean is large and names those that stand out. Those of single figures are small, have the
# same order, and belong in a table: a host is at one place in all of them. Each mark has a shape of its own.
# A thousand hosts are two paths, so a page stays small.
package Touchstone::Pack::Fleet::Report::Strips;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Base::Symbols qw(signed);
use Touchstone::Base::Text qw(width);
use Touchstone::Pack::Fleet::Report::Phrases qw(class figure shown_name with_limits word);
use Touchstone::Report::Render::Html qw(text);
use Touchstone::Report::Plot qw(at element label linear picture scrolled steps);

# Pixels of the picture of the mean, with the room for its scale and one row of names, and of a small one.
my ($WIDTH, $HEIGHT, $LEFT, $TOP, $NAMES) = (1180, 210, 60, 10, 17);
my ($SMALL_WIDTH, $SMALL_HEIGHT, $SMALL_LEFT) = (560, 46, 56);

# A mark is so high above and below its place.
my $MARK_ROOM = 6;

# Beyond so many hosts points are small; and beyond so many those in a small picture have no tips, as the
# page would become too large.
my ($CROWD, $TIPS) = (120, 60);

# A scale is at least this high, as a logarithm; a value so many times as far as the middle one is an arrow.
my ($LEAST, $FAR, $SMALL_FAR) = (0.02, 60, 40);

# So many hosts are named, with so many letters, whose width in pixels is at most this.
my ($MOST, $LETTERS, $LETTER) = (16, 24, 7.6);

my %MARK = (
    bad     => [ 'bad-mark'     => sub { my ($x, $y) = @_; return _path($x - 5, $y - 4, 'h10l-5 9z') } ],
    suspect => [ 'suspect-mark' => sub { my ($x, $y) = @_; return _path($x - 5, $y, 'l5 -5l5 5l-5 5z') } ],
    fast         => [ 'fast-mark'  => sub { my ($x, $y) = @_; return _path($x - 5, $y + 4, 'h10l-5 -9z') } ],
    cleared      => [ 'other-mark' => sub { my ($x, $y) = @_; return _path($x - 4, $y - 4, 'h8v8h-8z') } ],
    inconclusive => [ 'other-mark' => sub { my ($x, $y) = @_; return _path($x - 4, $y - 4, 'h8v8h-8z') } ]
);

# What the marks mean, for those that are there.
my @LEGEND = (
    [ bad          => 'bad, as new runs confirmed' ],
    [ suspect      => 'suspect' ],
    [ fast         => 'fast' ],
    [ cleared      => 'cleared by new runs' ],
    [ inconclusive => 'inconclusive' ]
);

sub _path { my ($x, $y, $rest) = @_; return 'M' . at($x) . ' ' . at($y) . $rest }

# The marks of these hosts with their meanings, as spans.
sub legend {
    my (@hosts) = @_;
    my %seen    = map { class($_) => 1 } @hosts;
    return map { ({ as => 'span', text => [ { picture => _sample($_->[0]) }, " $_->[1]" ] }, ' ') }
        grep { $seen{ $_->[0] } } @LEGEND;
}

sub _sample {
    my ($class) = @_;
    my ($look, $shape) = @{ $MARK{$class} };
    return element(
        svg => { width => 14, height => 14, viewBox => '0 0 14 14', 'aria-hidden' => 'true' },
        element(path => { class => $look, d => $shape->(7, 7) })
    );
}

# The picture of the mean over all figures.
sub of_mean {
    my ($group) = @_;
    my @hosts   = grep { defined $_->{ratio} } @{ $group->{hosts} };
    my @values  = map  { +{ ratio => $_->{ratio}, interval => $_->{interval}, host => $_ } } @hosts;
    return '' if @values < 2;
    my $x      = _across(scalar @values, $LEFT, $WIDTH);
    my $bottom = $TOP + $HEIGHT;
    my $y      = _upwards($FAR, $bottom, $TOP, @values);
    my ($names, $rows) = _names($x, $y, $bottom, @values);
    return scrolled(
        title   => 'Speed of each host over all figures, compared with the median of the group',
        width   => $WIDTH,
        height  => $bottom + 8 + $NAMES * $rows,
        class   => @values > $CROWD ? 'wide crowd' : 'wide',
        says    => _says('the mean over all figures', @values),
        content => [
            _scale($y, 5, $LEFT, $WIDTH),
            _points($x, $y, 1, @values),
            @$names, map { _column($x, $_, $values[$_], $bottom, scalar @values) } 0 .. $#values
        ]
    );
}

# The hosts that have a figure, each as [ host, what its group says of the figure ].
sub compared {
    my ($group, $figure) = @_;
    return grep { defined(($_->[1] || {})->{ratio}) }
        map { [ $_, $_->{figures}{ $figure->{key} } ] } grep { defined $_->{ratio} } @{ $group->{hosts} };
}

# The small picture of a figure that two hosts or more have.
sub of_figure {
    my ($group, $figure) = @_;
    my @known  = map { +{ %{ $_->[1] }, host => $_->[0] } } compared($group, $figure);
    my %value  = map { $_->{host} => $_ } @known;
    my @values = map { $value{$_} } grep { defined $_->{ratio} } @{ $group->{hosts} };
    my $x      = _across(scalar @values, $SMALL_LEFT, $SMALL_WIDTH);
    my $y      = _upwards($SMALL_FAR, $SMALL_HEIGHT - $MARK_ROOM, $MARK_ROOM, @known);
    return picture(
        width   => $SMALL_WIDTH,
        height  => $SMALL_HEIGHT,
        class   => @values > $CROWD ? 'small crowd' : 'small',
        says    => _says(figure($figure), @known),
        content => [
            _scale($y, 2, $SMALL_LEFT, $SMALL_WIDTH),
            _points($x, $y, 0, @values),
            @values > $TIPS
            ? ()
            : map { $values[$_] ? _column($x, $_, $values[$_], $SMALL_HEIGHT, scalar @values) : () }
                0 .. $#values
        ]
    );
}

# A function from the number of a host to its place.
sub _across {
    my ($many, $left, $right) = @_;
    my $step = ($right - $left) / $many;
    return sub { return at($left + $step * ($_[0] + 0.5)) };
}

# Where a ratio is, { at => sub, low, high } with the ends of the scale as ratios.
sub _upwards {
    my ($far, $bottom, $top, @values) = @_;
    my @logs   = map  { log $_->{ratio} } @values;
    my @size   = sort { $a <=> $b } map { abs } @logs;
    my $most   = $far * max($size[ $#size / 2 ], $LEAST / 20);
    my @shown  = grep { abs $_ <= $most } @logs;
    my @halves = sort { $a <=> $b }
        map { $_->{interval} ? log($_->{interval}[1] / $_->{interval}[0]) / 2 : 0 } @values;
    my $margin = min($halves[ $#halves / 2 ], $most) * 1.2 + 0.001;
    my ($low, $high) = (min(-$LEAST / 2, @shown) - $margin, max($LEAST / 2, @shown) + $margin);
    my $line = linear($low, $high, $bottom, $top);
    return {
        at     => sub { return $line->(max($low, min($high, log $_[0]))) },
        low    => exp $low,
        high   => exp $high,
        top    => $top,
        bottom => $bottom
    };
}

# Lines with their labels, in per cent of the median.
sub _scale {
    my ($y, $many, $left, $right) = @_;
    my @steps = steps(100 * ($y->{low} - 1), 100 * ($y->{high} - 1), $many);
    @steps = ($steps[0], 0, grep { $_ > 0 } $steps[-1]) if $many == 2 && @steps > 3;
    my (@lines, @used);
    for my $step (sort { abs $a <=> abs $b } @steps) {
        my $at = $y->{at}->(1 + $step / 100);
        next if grep { abs($_ - $at) < 13 } @used;
        push @used, $at;
        push @lines, element(path => { class => $step ? 'grid' : 'axis', d => "M$left ${at}H$right" }),
            label(
            $step ? signed(sprintf '%+g %%', $step) : '0',
            class => 'end dim',
            x     => $left - 6,
            y     => at(min($y->{bottom}, max($y->{top} + 9, $at + 4.5)))
            );
    }
    return @lines;
}

# Intervals and points of the many as two paths, and a mark for each that stands out.
sub _points {
    my ($x, $y, $is_large, @values) = @_;
    my (@spans, @dots, @marks);
    for my $i (0 .. $#values) {
        my $value = $values[$i] or next;
        my ($at_x, $at_y) = ($x->($i), $y->{at}->($value->{ratio}));
        if ($value->{interval}) {
            my ($low, $high) = map { $y->{at}->($_) } @{ $value->{interval} };
            push @spans, "M$at_x ${low}V$high" if $low != $high;
        }
        my $mark = $MARK{ class($value->{host}) };
        if ($mark) { push @marks, element(path => { class => $mark->[0], d => $mark->[1]->($at_x, $at_y) }) }
        else       { push @dots, "M$at_x ${at_y}h0" }
    }
    return (@spans ? element(path => { class => 'spans', d => join '', @spans }) : (),
        @dots ? element(path => { class => 'hosts', d => join '', @dots }) : (), @marks);
}

# What a pointer meets above and below a host.
sub _column {
    my ($x, $i, $value, $height, $many) = @_;
    my $half = max(0.5, ($many > 1 ? $x->(1) - $x->(0) : 20) / 2);
    return element(
        rect => {
            class  => 'whole',
            x      => at($x->($i) - $half),
            y      => 0,
            width  => at(2 * $half),
            height => $height
        },
        element(title => {}, text(_tip($value)))
    );
}

sub _tip {
    my ($value) = @_;
    return join ' ', shown_name($value->{host}{host}), with_limits($value),
        grep { length } word($value->{host});
}

# Names of those that stand out, below the picture in as many rows as they need, and lines to them. Returns
# the elements, and the number of rows.
sub _names {
    my ($x, $y, $bottom, @values) = @_;
    my @named = grep { length class($values[$_]{host}) } 0 .. $#values;
    my %order = (bad => 0, suspect => 1, inconclusive => 2, fast => 3, cleared => 4);
    @named = sort { $order{ class($values[$a]{host}) } <=> $order{ class($values[$b]{host}) } || $a <=> $b }
        @named;
    splice @named, $MOST if @named > $MOST;
    my (@ends, @elements);
    for my $i (sort { $a <=> $b } @named) {
        my $name  = shown_name($values[$i]{host}{host}, $LETTERS);
        my $wide  = $LETTER * width($name) + 5 * ($name =~ tr/\x80-\xff//);
        my $is_at = $x->($i);
        my $end   = $is_at + $wide > $WIDTH;
        my ($from, $to) = $end ? ($is_at - $wide, $is_at) : ($is_at, $is_at + $wide);
        my ($row) = grep { ($ends[$_] // -1) < $from } 0 .. @ends;
        $ends[$row] = $to + 8;
        my $base = $bottom + $NAMES * ($row + 1);
        push @elements,
            element(
            path => {
                class => 'leader',
                d     => "M$is_at " . at($y->{at}->($values[$i]{ratio}) + 7) . 'V' . at($base - 12)
            }
            ),
            label(
            $name,
            class => $end ? 'end' : undef,
            x     => at(max($end ? $wide : 0, $is_at)),
            y     => at($base)
            );
    }
    return (\@elements, scalar @ends);
}

sub _says {
    my ($what, @values) = @_;
    my ($low,  $high)   = (sort { $a <=> $b } map { $_->{ratio} } @values)[ 0, -1 ];
    my %many;
    $many{ class($_->{host}) }++ for @values;
    return sprintf '%d hosts by %s, %.3f to %.3f of the median%s', scalar @values, $what, $low, $high,
        join '', map { $many{$_} ? ", $many{$_} $_" : '' } qw(bad suspect fast);
}

1;
