# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Plot::Forest - ratios as rows of pictures, on one logarithmic scale:
#
#                              m7a faster |      c7i faster
#   pipe   +3.1 %  ^ faster            ###|###   --o--
#   spawn  +0.2 %  o no difference    ####|-o--
#   ------
#   index  +1.6 %  ^ faster              #|#  --<>--
#                              -2 %       0        +2 %
#
# Words are texts of the page, and places are percentages of the width, so that letters are as large on a
# narrow screen, where the picture of a row is below its words.
#
# A row is
#
#   { name, ratio, interval,
#     detectable   => 0.01        the band (#) of differences that are too small to be detected
#     others       => [ ... ]     ratios that are small dots
#     is_diamond   => 1           instead of a dot
#     is_clear     => 1           the mark is filled
#     class        => 'good'      its colour
#     sign, word   => '=', ...    of its verdict
#     bold, rule, tip }           a thick name, a line above the row, a text for pointers
package Touchstone::Report::Plot::Forest;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Base::Text qw(short);
use Touchstone::Report::Compare::Verdict qw(difference);
use Touchstone::Report::Plot qw(at axis bar_line bars element escaped label percents reach side);

# The scale of a row in per cent of its width, its height and its middle, and those of the head and the foot.
my ($LEFT, $RIGHT, $HEIGHT, $MIDDLE, $HEAD, $FOOT) = (2, 98, 22, 11, 18, 20);

# The most rows of a picture, which fit on a page of paper, letters of a name, and dots of a row.
my ($MOST, $LETTERS, $DOTS) = (36, 32, 200);

# A scale is at least this wide, as a logarithm, and reaches at most $FAR times as far as the middle ratio. If
# all is on one side of 1, the other side still has this part of the scale. The last is the margin, as a part.
my ($NARROWEST, $FAR, $LEAST_SIDE, $MARGIN) = (0.004, 12, 0.2, 0.06);

# About this many ticks, whose labels are this far apart, in per cent of the width.
my ($TICKS, $MIN_DISTANCE) = (6, 13);

# Signs of verdicts, by their class or their sign: triangles and a ring.
my %SIGN = (good => "\xe2\x96\xb2", bad => "\xe2\x96\xbc", '=' => "\xe2\x97\x8b");

# Returns an axis for these rows, or nothing if no ratio is known.
sub scale {
    my (@rows) = @_;
    my @known  = grep { ($_->{ratio} // 0) > 0 } @rows or return;
    my @with   = grep { $_->{interval} && $_->{interval}[0] > 0 } @known;
    my @ends   = map {
        [ map { log } $_->{ratio}, @{ $_->{interval} || [] }, @{ $_->{others} || [] } ]
    } @with ? @with : @known;
    my $reach = reach(
        $FAR,
        map {
            max(map { abs } @$_)
        } @ends
    );
    my @shown = map { max(-$reach, min($reach, $_)) } map { @$_ } @ends;
    my ($low, $high) = (min(-$NARROWEST / 2, @shown), max($NARROWEST / 2, @shown));
    my ($side, $margin) = map { $_ * ($high - $low) } $LEAST_SIDE, $MARGIN;
    return axis(
        exp(min($low, -$side) - $margin), exp(max($high, $side) + $margin), $LEFT, $RIGHT,
        log    => 10,
        origin => 1
    );
}

# Returns parts of a page, of { title, rows }, and of their `axis`, `heads` and what the picture `says`, if
# these are given.
sub parts {
    my (%is) = @_;
    my $axis = $is{axis} || scale(@{ $is{rows} }) or return;
    my $says = $is{description} // sub { return "$_[0]. The table has the figures." };
    return
        map { [ picture => _sheet($axis, $says, $is{heads}, @$_) ] }
        Touchstone::Report::Plot::sheets($is{title}, $MOST, @{ $is{rows} });
}

sub _sheet {
    my ($axis, $says, $heads, $title, @rows) = @_;
    my @ticks = percents($axis, $TICKS, $MIN_DISTANCE);
    my $scale = join '',
        map { bar_line($axis, $_->[0] == 1 ? 'axis' : 'grid', ($_->[0]) x 2, 0, $HEIGHT) } @ticks;
    my @labels =
        map { label($_->[1], class => 'dim middle', x => $axis->{at}->($_->[0]) . '%', y => 14) } @ticks;
    my @heads = map {
        my ($text, $x, $class) = @$_;
        label($text, class => "dim$class", x => "$x%", y => 13)
    } $heads ? ([ $heads->[0], 0, '' ], [ $heads->[1], 100, ' end' ]) : ();
    my $is_judged = grep { defined $_->{word} } @rows;
    my $class     = $is_judged ? 'forest' : 'forest plain';
    return join "\n",
        qq{<figure class="$class" role="img" aria-label="} . escaped($says->($title, @rows)) . '">',
        element(figcaption => {}, escaped($title)),
        (@heads ? _of_scale($HEAD, @heads) : ()),
        (map { _row($axis, $scale, $_) } @rows), _of_scale($FOOT, @labels), "</figure>\n";
}

sub _of_scale {
    my ($height, @content) = @_;
    return element(div => { class => 'ratio' }, bars($height, @content));
}

sub _row {
    my ($axis, $scale, $row) = @_;
    my $bold    = $row->{bold} ? ' bold' : '';
    my $class   = $row->{class} // '';
    my $verdict = $row->{word};
    $verdict = ($SIGN{$class} // $SIGN{ $row->{sign} // '' } // '?') . " $verdict" if defined $verdict;
    return element(
        div => { class => 'ratio' . ($row->{rule} ? ' rule' : ''), title => $row->{tip} },
        element(span => { class => "row$bold" },        escaped(short($row->{name}, $LETTERS))),
        element(span => { class => "end $class$bold" }, escaped(difference(@$row{qw(ratio interval)}))),
        (defined $verdict ? element(span => { class => $class }, escaped($verdict)) : ()),
        bars(
            $HEIGHT,
            $scale,
            _band($axis, $row->{detectable}),
            _dots($axis, @{ $row->{others} || [] }),
            ($row->{ratio} // 0) > 0 ? element(g => { class => $row->{class} }, _estimate($axis, $row)) : ()
        )
    );
}

# The interval, and the mark of the ratio; arrows are where these leave the scale. Diamonds and arrows are
# letters, because only these have their places in per cent.
sub _estimate {
    my ($axis, $row) = @_;
    my $ratio = $row->{ratio};
    my ($low, $high) = @{ $row->{interval} || [ $ratio, $ratio ] };
    my $class = $row->{is_clear} ? undef : 'open';
    my %dot   = (class => $class, cx => $axis->{at}->($ratio) . '%', cy => $MIDDLE, r => 4);
    return (
        $row->{interval} && $low <= $axis->{to} && $high >= $axis->{from}
        ? bar_line($axis, 'stroke', $low, $high, $MIDDLE, $MIDDLE)
        : (),
        (
            map { _arrow($axis, $_) } grep { $_ } side($axis, $low) < 0 ? -1 : 0,
            side($axis, $high) > 0                                      ? 1  : 0
        ),
        side($axis, $ratio)  ? ()
        : $row->{is_diamond} ? _letter($axis, $ratio, $class ? "\xe2\x97\x87" : "\xe2\x97\x86")
        :                      element(circle => \%dot)
    );
}

sub _letter {
    my ($axis, $value, $letter) = @_;
    return label($letter, class => 'middle', x => $axis->{at}->($value) . '%', y => $MIDDLE + 5);
}

sub _arrow {
    my ($axis, $side) = @_;
    return _letter($axis, $side > 0 ? ($axis->{to}, "\xe2\x96\xb6") : ($axis->{from}, "\xe2\x97\x80"));
}

# Draws the band of differences that could not have been detected.
sub _band {
    my ($axis, $detectable) = @_;
    return if !$detectable;
    my ($from, $to) = map { $axis->{at}->($_) } 1 / (1 + $detectable), 1 + $detectable;
    return element(
        rect => {
            class  => 'range',
            x      => "$from%",
            y      => $MIDDLE - 6,
            width  => at($to - $from) . '%',
            height => 12
        }
    );
}

# Many dots show no more than some of them.
sub _dots {
    my ($axis, @ratios) = @_;
    my @sorted = sort { $a <=> $b } grep { $_ > 0 } @ratios;
    @sorted = map { $sorted[ $#sorted * $_ / ($DOTS - 1) ] } 0 .. $DOTS - 1 if @sorted > $DOTS;
    return map {
              side($axis, $_)
            ? _arrow($axis, side($axis, $_))
            : element(circle => { class => 'faint', cx => $axis->{at}->($_) . '%', cy => $MIDDLE, r => 2.5 })
    } @sorted;
}

1;
