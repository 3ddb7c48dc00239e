# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Plot - pictures within a page: axes, marks, rows and frames, of which the modules in Report/Plot say
# what is drawn. Looks are classes of Report::Render::Html::Style, because a page forbids all others, and
# because these suit light, dark and printed pages. A picture and its markup:
#
#   my $x = axis(0, 180, 40, 400);
#   picture(
#       width   => 440,
#       height  => 40,
#       description    => 'passes of pipe',
#       content => [ point($x, 90, 20, dot => 3, class => 'mark') ]);
#
#   <svg viewBox="0 0 440 40" width="440" height="40" role="img" aria-label="passes of pipe">
#   <circle class="mark" cx="220" cy="20" r="3"/>
#   </svg>
#
# A value that leaves an axis is drawn as an arrow at its end. What is not valid or not significant is hollow.
package Touchstone::Report::Plot;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(max min);
use POSIX qw(floor ceil);

use Touchstone::Base::Symbols qw($TIMES signed);
use Touchstone::Base::Text qw(short);

our @EXPORT_OK = (
    qw(escaped element label tip picture share rows axis side reach percents at shape point bars bar_line),
    qw(chart labels spaced ticks through uprights)
);

# Letters are this far below the middle of their row, labels of an axis this far from it, and the title of an
# axis this far below.
my ($HALF_LETTER, $LEFT_OF, $BELOW, $TITLE) = (4.5, 6, 16, 33);

# From this factor on, ratios are shown as factors instead of per cent.
my $FACTOR = 2;

# Makes a text of any origin fit for a page or a picture.
sub escaped {
    my ($text) = @_;
    return '' if !defined $text;
    $text =~ s/&/&amp;/g;
    $text =~ s/</&lt;/g;
    $text =~ s/>/&gt;/g;
    $text =~ s/"/&quot;/g;
    $text =~ s/'/&#39;/g;
    return $text;
}

# Content is markup; attributes are texts, and undefined ones are left out.
sub element {
    my ($name, $attributes, @content) = @_;
    my $written = join '', map { qq{ $_="} . escaped($attributes->{$_}) . '"' }
        grep { defined $attributes->{$_} } sort keys %$attributes;
    return @content ? "<$name$written>" . join('', @content) . "</$name>" : "<$name$written/>";
}

sub label {
    my ($text, %attributes) = @_;
    return element(text => \%attributes, escaped($text));
}

# Returns what a pointer that rests on an element shows, or nothing.
sub tip { my ($text) = @_; return defined $text ? element(title => {}, escaped($text)) : () }

# Draws a picture:
#
#   width, height    in its own units, which are pixels if there is room
#   says             for those who cannot see it
#   content          a list of elements
#   class            of the svg element
sub picture {
    my (%is) = @_;
    my %attributes = (
        viewBox      => "0 0 $is{width} $is{height}",
        width        => $is{width},
        height       => $is{height},
        role         => 'img',
        'aria-label' => $is{description},
        class        => $is{class}
    );
    return element(svg => \%attributes, "\n", (map { "$_\n" } @{ $is{content} }));
}

# Draws a picture that is as wide as its place, and `height` pixels high: `lines` have places from 0 to
# $ACROSS and stretch with it; `content` is at a share of the width, and keeps its form.
our $ACROSS = 1000;

sub fluid {
    my (%is)       = @_;
    my %attributes = (height  => $is{height}, role => 'img', 'aria-label' => $is{description});
    my %stretched  = (viewBox => "0 0 $ACROSS $is{height}", preserveAspectRatio => 'none', width => '100%');
    my $lines      = element(svg => \%stretched, @{ $is{lines} });
    return element(
        svg => { %attributes, class => "fluid $is{class}" },
        "\n", map { "$_\n" } $lines, @{ $is{content} }
    );
}

sub share { my ($place) = @_; return at($place * 100 / $ACROSS) . '%' }

# Draws a picture with its title above it, and a note below that. One that scrolls does so where there is no
# room, instead of becoming too small to read.
sub figure {
    my (%is)    = @_;
    my $title   = escaped($is{title});
    my $note    = defined $is{note} ? element(small => {}, $is{note}) . "\n" : '';
    my $picture = $is{picture} // picture(description => $is{title}, %is);
    $picture = qq{<div class="scroll">\n$picture</div>} if $is{scrolls};
    return "<figure>\n<figcaption>$title</figcaption>\n$note$picture\n</figure>\n";
}

# Spreads rows over as many pictures as they need, each [title, rows]: one with more than `most` rows would
# not fit on a page of paper.
sub sheets {
    my ($title, $most, @rows) = @_;
    my $many = @rows;
    return [ $title, @rows ] if $many <= $most;
    my @sheets;
    while (my @some = splice @rows, 0, $most) {
        push @sheets,
            [ sprintf('%s, %d to %d of %d', $title, $many - @rows - @some + 1, $many - @rows, $many), @some ];
    }
    return @sheets;
}

# Draws rows with one axis, as many pictures as they need, each a figure:
#
#   title, class, width    of a picture
#   says                   a function from title and rows to what it says, or else the title and a reference
#                          to the table
#   axis, ticks            the axis, and its ticks
#   heads                  texts above the left and the right end of the axis
#   height, most           the height of a row, and the most rows of a picture
#   letters                of a name
#   rows                   { name, bold, tip, rule, draw => a function from the middle of the row to elements };
#                          `rule`: a line above it
sub rows {
    my (%is) = @_;
    $is{description} //= sub { return "$_[0]. The table has the figures." };
    return map { _sheet(\%is, @$_) } sheets(@is{qw(title most)}, @{ $is{rows} });
}

sub _sheet {
    my ($plot, $title, @rows) = @_;
    my ($axis, $height)       = @$plot{qw(axis height)};
    my ($left, $right)        = @$axis{qw(start end)};
    my @heads  = @{ $plot->{heads} || [] };
    my $top    = @heads ? 24 : 0;
    my $bottom = $top + $height * @rows;
    my @frame  = grid($axis, $top, $bottom, @{ $plot->{ticks} });
    push @frame, label($heads[0], class => 'dim', x => $left, y => 13),
        label($heads[1], class => 'end dim', x => $right, y => 13)
        if @heads;
    return figure(
        title       => $title,
        width       => $plot->{width},
        height      => $bottom + $BELOW + 8,
        class       => $plot->{class},
        scrolls     => 1,
        description => $plot->{description}->($title, @rows),
        content     => [ @frame, map { _row($plot, $top + $height * $_, $rows[$_]) } 0 .. $#rows ]
    );
}

sub _row {
    my ($plot, $y, $row) = @_;
    my $middle = $y + $plot->{height} / 2;
    my %whole  = (class => 'whole', x => 0, y => at($y), width => $plot->{width}, height => $plot->{height});
    return join '',
        $row->{rule} ? element(path => { class => 'axis', d => 'M0 ' . at($y) . "H$plot->{width}" }) : (),
        label(
        short($row->{name}, $plot->{letters}),
        class => 'row' . ($row->{bold} ? ' bold' : ''),
        x     => 0,
        y     => at($middle + $HALF_LETTER)
        ),
        $row->{draw}->($middle),
        defined $row->{tip} ? element(rect => \%whole, tip($row->{tip})) : ();
}

# Draws a chart as a figure:
#
#   x, y       axes
#   ticks      of x, and of y: two lists
#   titles     of x, below it, and of y, above it
#   crossed    lines stand at the ticks of x, too
#   frame      [ left, right, top, bottom ] if these are not the ends of the axes
#   room       at the right of the frame
#   content    a list of elements
sub chart {
    my (%is) = @_;
    my ($x, $y)                       = @is{qw(x y)};
    my ($left, $right, $top, $bottom) = @{ $is{frame} || [ @$x{qw(start end)}, @$y{qw(end start)} ] };
    my ($counts, $values)             = @{ $is{ticks} };
    my ($below, $above)               = @{ $is{titles} };
    my @frame = (
        grid($y, $left, $right, @$values),
        $is{crossed} ? grid($x, $top, $bottom, @$counts) : labels($x, $bottom, @$counts),
        label($above, class => 'dim', x => 0, y => 12)
    );
    push @frame, label($below, class => 'dim middle', x => at(($left + $right) / 2), y => $bottom + $TITLE)
        if defined $below;
    return figure(
        %is,
        width   => $right + $is{room},
        height  => $bottom + (defined $below ? $TITLE + 5 : $BELOW + 8),
        content => [ @frame, @{ $is{content} } ]
    );
}

# Returns the path of a line through points [x, y] of two axes.
sub through {
    my ($x, $y, @points) = @_;
    return 'M' . join 'L', map { $x->{at}->($_->[0]) . ' ' . $y->{at}->($_->[1]) } @points;
}

# Returns the path of upright lines [x, from, to].
sub uprights {
    my ($x, $y, @lines) = @_;
    return join '', map { through($x, $y, $_) . 'V' . $y->{at}->($_->[2]) } @lines;
}

# Rounds a place in a picture: a tenth of a pixel is enough.
sub at { my ($place) = @_; return 0 + sprintf '%.1f', $place }

# Returns an axis that puts `from` at the place `start` and `to` at `end`:
#
#   { from, to, start, end, at => a function from values to places }
#
# What is beyond it is put at its end. It stands upright if it ends above its start. `log` is the base of a
# logarithmic one, whose ends are above zero, and `origin` a value whose line is dark.
sub axis {
    my ($from, $to, $start, $end, %is) = @_;
    my $transform = $is{log} ? sub { return log $_[0] } : sub { return $_[0] };
    my ($first, $last) = map { $transform->($_) } $from, $to;
    my $step     = $last > $first ? ($end - $start) / ($last - $first) : 0;
    my $base     = $step          ? $start                             : ($start + $end) / 2;
    my $position = sub { return at($base + $step * ($transform->(max($from, min($to, $_[0]))) - $first)) };
    return { %is, from => $from, to => $to, start => $start, end => $end, at => $position };
}

# On which side of the axis a value is: -1 or 1, or 0 if it is within.
sub side {
    my ($axis, $value) = @_;
    return $value < $axis->{from} ? -1 : $value > $axis->{to} ? 1 : 0;
}

sub _is_upright { my ($axis) = @_; return $axis->{start} > $axis->{end} }

# Returns how far a scale must reach to show these distances, without those that are this many times further
# away than the middle one: they would leave no room for the others.
sub reach {
    my ($far, @distances) = @_;
    my @sorted = sort { $a <=> $b } grep { $_ > 0 } @distances;
    return 0 if !@sorted;
    my $most = $far * $sorted[ $#sorted / 2 ];
    return max(grep { $_ <= $most } @sorted);
}

# Returns at most about `many` round values of an axis. Those of a logarithmic one are powers of its base, and
# multiples of powers of ten where there are few.
sub ticks {
    my ($axis, $many) = @_;
    my ($from, $to, $base) = @$axis{qw(from to log)};
    return $from                     if $to <= $from;
    return _steps($from, $to, $many) if !$base;
    my ($first, $last) = (ceil(log($from) / log($base) - 1e-9), floor(log($to) / log($base) + 1e-9));
    my $every = max(1, ceil(($last - $first + 1) / $many));
    my $one   = sprintf '%.0f', log($axis->{base} // 1) / log $base;
    return map { 0 + sprintf '%.12g', $base**$_ } grep { ($_ - $one) % $every == 0 } $first .. $last
        if $base != 10 || $last - $first >= 2;

    for my $digits ([ 1, 3 ], [ 1, 2, 5 ], [ 1 .. 9 ]) {
        my @found = grep { side($axis, $_) == 0 } map {
            my $power = $_;
            map { 0 + sprintf '%.12g', $_ * 10**$power } @$digits
        } $first - 1 .. $last + 1;
        $every = max(1, ceil(@found / $many));
        return @found[ grep { $_ % $every == 0 } 0 .. $#found ] if @found >= 3;
    }
    return _steps($from, $to, min($many, 4));
}

sub _steps {
    my ($from, $to, $many) = @_;
    my $rough  = ($to - $from) / ($many || 1);
    my $power  = 10**floor(log($rough) / log 10);
    my ($step) = grep { $_ >= $rough * 0.999 } map { $_ * $power } 1, 2, 5, 10;
    return map { 0 + sprintf '%.12g', $_ * $step } ceil($from / $step - 1e-9) .. floor($to / $step + 1e-9);
}

# Returns ticks [value, label] of an axis of ratios: differences in per cent, or factors if the axis reaches
# that far. There are at most about `many`, whose places are at least `apart` from each other, and 1 is one.
sub percents {
    my ($axis, $many, $min_distance) = @_;
    my ($from, $to) = @$axis{qw(from to)};
    return spaced($axis, $min_distance,
        _from_1($axis, map { [ $_, sprintf "%g $TIMES", $_ ] } ticks($axis, 2 * $many)))
        if $axis->{log} && ($to > $FACTOR || $from < 1 / $FACTOR);
    my @ticks;
    for my $most ($many, $many / 2, 2) {
        @ticks = _from_1($axis,
            map { [ 1 + $_ / 100, $_ ? signed(sprintf '%+g %%', $_) : '0' ] }
                _steps(($from - 1) * 100, ($to - 1) * 100, $most));
        last if @ticks == spaced($axis, $min_distance, @ticks);
    }
    return spaced($axis, $min_distance, @ticks);
}

sub _from_1 {
    my ($axis, @ticks) = @_;
    my @sorted = sort { _far($axis, $a) <=> _far($axis, $b) } @ticks;
    return @sorted;
}

# Returns those of ticks [value, label] that have room: the first come first, and labels are this far apart.
sub spaced {
    my ($axis, $min_distance, @ticks) = @_;
    my @placed;
    for my $tick (@ticks) {
        my $place = $axis->{at}->($tick->[0]);
        push @placed, $tick if !grep { abs($axis->{at}->($_->[0]) - $place) < $min_distance } @placed;
    }
    my @sorted = sort { $a->[0] <=> $b->[0] } @placed;
    return @sorted;
}

sub _far { my ($axis, $tick) = @_; return abs($axis->{at}->($tick->[0]) - $axis->{at}->(1)) }

# Draws lines across the picture at these ticks of an axis, values or [value, label], from a place to another,
# and their labels: at the left of an upright axis, else below.
sub grid {
    my ($axis, $from, $to, @ticks) = @_;
    my @lines = map {
        my $value = ref $_ ? $_->[0] : $_;
        my $place = $axis->{at}->($value);
        my $class = defined $axis->{origin} && $value == $axis->{origin} ? 'axis' : 'grid';
        element(
            path => {
                class => $class,
                d     => _is_upright($axis) ? "M$from ${place}H$to" : "M$place ${from}V$to"
            }
        );
    } @ticks;
    return (@lines, labels($axis, _is_upright($axis) ? $from : $to, @ticks));
}

# Draws the labels of ticks, at the edge of the picture.
sub labels {
    my ($axis, $edge, @ticks) = @_;
    return map {
        my ($value, $text) = ref $_ ? @$_ : ($_, $_);
        my $place = $axis->{at}->($value);
        _is_upright($axis)
            ? label($text, class => 'dim end',    x => $edge - $LEFT_OF, y => at($place + $HALF_LETTER))
            : label($text, class => 'dim middle', x => $place,           y => $edge + $BELOW);
    } @ticks;
}

# Outlines of marks of this radius: where they begin, from their middle, and the rest.
my %OUTLINE = (
    diamond => sub { my ($r) = @_; return (-$r, 0, "l$r -${r}l$r ${r}l-$r ${r}z") },
    square  => sub { my ($r) = @_; my $d = 2 * $r; return (-$r, -$r, "h${d}v${d}h-${d}z") },
    up      => sub { my ($r) = @_; return (-$r, 0.8 * $r,  'h' . 2 * $r . "l-$r -" . 1.8 * $r . 'z') },
    down    => sub { my ($r) = @_; return (-$r, -0.8 * $r, 'h' . 2 * $r . "l-$r " . 1.8 * $r . 'z') }
);

sub outline {
    my ($kind, $radius, $x, $y) = @_;
    my ($right, $down, $rest) = $OUTLINE{$kind}->($radius);
    return 'M' . at($x + $right) . ' ' . at($y + $down) . $rest;
}

# Draws a mark, a dot or one of the outlines; `tip` is for a pointer that rests there.
sub shape {
    my ($kind, $radius, $x, $y, %attributes) = @_;
    my @tip = tip(delete $attributes{tip});
    return element(circle => { %attributes, cx => at($x), cy => at($y), r => $radius }, @tip)
        if $kind eq 'dot';
    return element(path => { %attributes, d => outline($kind, $radius, $x, $y) }, @tip);
}

# Draws the mark of a value, this far across the axis, or an arrow if it is beyond the axis.
sub point {
    my ($axis, $value, $across, $kind, $radius, %attributes) = @_;
    my $side = side($axis, $value);
    return _arrow($axis, $side, $across, %attributes) if $side;
    my @place = ($axis->{at}->($value), $across);
    return shape($kind, $radius, _is_upright($axis) ? reverse @place : @place, %attributes);
}

sub _arrow {
    my ($axis, $side, $across, %attributes) = @_;
    my @tip   = tip(delete $attributes{tip});
    my $place = $side > 0 ? $axis->{end} : $axis->{start};
    my $away  = 7 * $side;
    return element(
        path => {
            %attributes,
            d => _is_upright($axis)
            ? 'M' . at($across - 5) . " ${place}h10l-5 " . -$away . 'z'
            : 'M' . at($place + $away) . ' ' . at($across) . "L$place " . at($across - 5) . 'v10z'
        },
        @tip
    );
}

# A picture of a row of a table, as wide as its cell, whose places are percentages. The figures stand beside
# it, so it is hidden from those who have the page read to them.
sub bars {
    my ($height, @content) = @_;
    return element(svg => { class => 'bars', height => $height, 'aria-hidden' => 'true' }, @content);
}

# A line between two values of an axis of percentages.
sub bar_line {
    my ($axis, $class, $low, $high, $from, $to) = @_;
    my ($left, $right) = map { $axis->{at}->($_) . '%' } $low, $high;
    return element(line => { x1 => $left, x2 => $right, y1 => $from, y2 => $to, class => $class });
}

1;
