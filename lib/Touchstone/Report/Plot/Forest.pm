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
# A row is
#
#   { name, ratio, interval,
#     detectable   => 0.01        the band (#) of differences that are too small to be detected
#     others       => [ ... ]     ratios that are small dots
#     is_diamond   => 1           instead of a dot
#     is_clear     => 1           the mark is filled
#     class        => 'good'      its colour
#     sign, word   => '=', ...    of its verdict, stand before the scale, so that a narrow window shows them
#     bold, rule, tip }           as of Report::Plot::rows
package Touchstone::Report::Plot::Forest;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Report::Compare::Verdict qw(difference);
use Touchstone::Report::Plot qw(at axis element estimate label percents point reach rows shape);

# Columns begin here: the difference (where it ends), the sign, the verdict, the scale, which begins earlier
# if there are no verdicts.
my ($WIDTH, $DIFFERENCE, $SIGN, $VERDICT, $LEFT, $PLAIN_LEFT, $RIGHT) = (960, 236, 250, 262, 372, 266, 920);

# The height of a row, the most rows of a picture, letters of a name, and dots of a row.
my ($ROW, $MOST, $LETTERS, $DOTS) = (22, 36, 24, 200);

# A scale is at least this wide, as a logarithm, and reaches at most $FAR times as far as the middle ratio. If
# all is on one side of 1, the other side still has this part of the scale. The last is the margin, as a part.
my ($NARROWEST, $FAR, $LEAST_SIDE, $MARGIN) = (0.004, 12, 0.2, 0.06);

# About this many ticks, whose labels are this far apart.
my ($TICKS, $MIN_DISTANCE) = (8, 60);

# Signs of verdicts: a mark and its class.
my %SIGN = (good => ['up'], bad => ['down'], '=' => [ dot => 'open' ]);

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
    my $left = (grep { defined $_->{word} } @rows) ? $LEFT : $PLAIN_LEFT;
    return axis(
        exp(min($low, -$side) - $margin), exp(max($high, $side) + $margin), $left, $RIGHT,
        log    => 10,
        origin => 1
    );
}

# Returns parts of a page, of { title, rows }, and of their `axis`, `heads` and what the picture `says`, if
# these are given.
sub parts {
    my (%is) = @_;
    my $axis = $is{axis} || scale(@{ $is{rows} }) or return;
    my @rows = map {
        my $row = $_;
        +{ %$row, draw => sub { return _row($axis, $_[0], $row) } }
    } @{ $is{rows} };
    my @pictures = rows(
        class   => 'forest',
        width   => $WIDTH,
        height  => $ROW,
        most    => $MOST,
        letters => $LETTERS,
        %is,
        axis  => $axis,
        ticks => [ percents($axis, $TICKS, $MIN_DISTANCE) ],
        rows  => \@rows
    );
    return map { [ picture => $_ ] } @pictures;
}

sub _row {
    my ($axis, $y, $row) = @_;
    my $bold  = $row->{bold} ? ' bold' : '';
    my @texts = _text(difference(@$row{qw(ratio interval)}), "end$bold", $DIFFERENCE, $y);
    push @texts, _sign($row, $y), _text($row->{word}, undef, $VERDICT, $y) if defined $row->{word};
    unshift @texts,
        estimate(
        $axis, $y,
        { value => $row->{ratio}, interval => $row->{interval} },
        $row->{is_diamond} ? (diamond => 6) : (dot => 4),
        line  => 'stroke',
        class => $row->{is_clear} ? undef : 'open'
        ) if ($row->{ratio} // 0) > 0;
    return join '', _band($axis, $y, $row->{detectable}), _dots($axis, $y, @{ $row->{others} || [] }),
        element(g => { class => $row->{class} }, @texts);
}

sub _text {
    my ($text, $class, $x, $y) = @_;
    return label($text, class => $class, x => $x, y => at($y + 4.5));
}

sub _sign {
    my ($row, $y) = @_;
    my $sign =
           $SIGN{ $row->{class} // '' }
        || $SIGN{ $row->{sign} }
        || return _text('?', 'middle bold dim', $SIGN, $y);
    return shape($sign->[0], $sign->[0] eq 'dot' ? 4 : 5, $SIGN, $y, class => $sign->[1]);
}

# Draws the band of differences that could not have been detected.
sub _band {
    my ($axis, $y, $detectable) = @_;
    return '' if !$detectable;
    my ($from, $to) = map { $axis->{at}->($_) } 1 / (1 + $detectable), 1 + $detectable;
    return element(
        rect => { class => 'range', x => $from, y => at($y - 6), width => at($to - $from), height => 12 });
}

# Many dots show no more than some of them.
sub _dots {
    my ($axis, $y, @ratios) = @_;
    my @sorted = sort { $a <=> $b } grep { $_ > 0 } @ratios;
    @sorted = map { $sorted[ $#sorted * $_ / ($DOTS - 1) ] } 0 .. $DOTS - 1 if @sorted > $DOTS;
    return map { point($axis, $_, $y, dot => 2.5, class => 'faint') } @sorted;
}

1;
