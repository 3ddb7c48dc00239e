# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Plot - pictures within a page: elements, scales and frames. Looks are classes of
# Report::Render::Html::Style, because a page forbids all others. A picture and its markup:
#
#   my $x = linear(0, 180, 40, 400);
#   picture(
#       width   => 440,
#       height  => 40,
#       says    => 'passes of pipe',
#       content => [ element(circle => { cx => $x->(90), cy => 20, r => 3, class => 'mark' }) ]);
#
#   <svg viewBox="0 0 440 40" width="440" height="40" role="img" aria-label="passes of pipe">
#   <circle class="mark" cx="220" cy="20" r="3"/>
#   </svg>
package Touchstone::Report::Plot;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(max);
use POSIX qw(floor ceil);

our @EXPORT_OK = (
    qw(escaped element label picture scrolled arrow diamond),
    qw(linear logarithmic steps decades reach at)
);

# A value this many times further away than the middle one would leave no room for the others.
my $FAR = 12;

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
    my $said = join '', map { qq{ $_="} . escaped($attributes->{$_}) . '"' }
        grep { defined $attributes->{$_} } sort keys %$attributes;
    return @content ? "<$name$said>" . join('', @content) . "</$name>" : "<$name$said/>";
}

# Places a text; a pointer that rests there shows `tip`.
sub label {
    my ($text, %attributes) = @_;
    return element(text => \%attributes, escaped($text));
}

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
        'aria-label' => $is{says},
        class        => $is{class}
    );
    return element(svg => \%attributes, "\n", (map { "$_\n" } @{ $is{content} }));
}

# Draws a picture with its title above it.
sub figure {
    my (%is) = @_;
    return
          "<figure>\n<figcaption>"
        . escaped($is{title})
        . "</figcaption>\n"
        . picture(says => $is{title}, %is)
        . "\n</figure>\n";
}

# Draws the same, but where there is no room it scrolls instead of becoming too small to read. `class` is
# plot or wide.
sub scrolled {
    my (%is) = @_;
    my $title = escaped($is{title});
    return
          "<figure>\n<figcaption>$title</figcaption>\n"
        . qq{<div class="scroll">\n}
        . picture(says => $is{title}, %is)
        . "</div>\n</figure>\n";
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

# Draws an arrow at the edge of a scale for a value beyond it, to the right (1) or to the left (-1).
sub arrow {
    my ($x, $y, $side, %attributes) = @_;
    return element(
        path => {
            %attributes,
            d => 'M' . at($x + 7 * $side) . ' ' . at($y) . 'L' . at($x) . ' ' . at($y - 5) . 'v10z'
        }
    );
}

sub diamond {
    my ($x, $y, %attributes) = @_;
    return element(path => { %attributes, d => 'M' . at($x - 6) . ' ' . at($y) . 'l6 -6l6 6l-6 6z' });
}

# Rounds a place in a picture: a tenth of a pixel is enough.
sub at { my ($place) = @_; return 0 + sprintf '%.1f', $place }

# Returns a function from values to places that puts `from` at `low` and `to` at `high`.
sub linear {
    my ($from, $to, $low, $high) = @_;
    my $part = $to > $from ? ($high - $low) / ($to - $from) : 0;
    my $base = $to > $from ? $low                           : ($low + $high) / 2;
    return sub { return at($base + ($_[0] - $from) * $part) };
}

# Returns the same for logarithms: both ends, and all values, are above zero.
sub logarithmic {
    my ($from, $to, $low, $high) = @_;
    my $line = linear(log $from, log $to, $low, $high);
    return sub { return $line->(log $_[0]) };
}

# Returns how far a scale must reach to show these distances, without those that are far beyond the others.
sub reach {
    my @sorted = sort { $a <=> $b } grep { $_ > 0 } @_;
    return 0 if !@sorted;
    my $most = $FAR * $sorted[ $#sorted / 2 ];
    return max(grep { $_ <= $most } @sorted);
}

# Returns about `many` round values from the first to the last, for a linear scale.
sub steps {
    my ($from, $to, $many) = @_;
    return $from if $to <= $from;
    my $rough  = ($to - $from) / ($many || 1);
    my $power  = 10**floor(log($rough) / log 10);
    my ($step) = grep { $_ >= $rough * 0.999 } map { $_ * $power } 1, 2, 5, 10;
    return map { 0 + sprintf '%.12g', $_ * $step } ceil($from / $step - 1e-9) .. floor($to / $step + 1e-9);
}

# Returns round values for a logarithmic scale: powers of ten, and multiples of them if there are few.
sub decades {
    my ($from, $to) = @_;
    my @powers = floor(log($from) / log 10) .. ceil(log($to) / log 10);
    my @found;
    for my $digits ([1], [ 1, 3 ], [ 1, 2, 5 ], [ 1 .. 9 ]) {
        @found = grep { $_ >= $from * 0.999999 && $_ <= $to * 1.000001 } map {
            my $power = $_;
            map { 0 + sprintf '%.12g', $_ * 10**$power } @$digits
        } @powers;
        last if @found >= 3;
    }
    return @found;
}

1;
