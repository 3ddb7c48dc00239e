# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Report::Lines - figures as lines of one picture, on one scale of ratios:
#
#   fstime   −38 %  <>               ......
#   pipe      +1 %             --o--
#                    -40 %  -20 %   0
#
# picture($title, @rows) takes rows
#
#   { name => 'fstime', ratio => 0.62, interval => [ 0.60, 0.64 ] or undef,
#     others => [ 0.97, 1.01 ],      dots for what it is compared with
#     class  => 'bad' }              the colour of what stands out, or undef
#
# and gives markup. What lies beyond the scale ends in an arrow; the table below the picture has the figures.
package Touchstone::Pack::Fleet::Report::Lines;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Base::Symbols qw(signed);
use Touchstone::Base::Text qw(short);
use Touchstone::Report::Compare::Verdict;
use Touchstone::Report::Plot::Svg qw(element label logarithmic steps at arrow diamond);

# Columns begin here: the difference (where it ends) and the scale.
my ($WIDTH, $DIFFERENCE, $LEFT, $RIGHT) = (960, 250, 280, 930);

# Heights of a row, of what is below the rows, and of the middle of a letter.
my ($ROW, $FOOT, $HALF_LETTER) = (22, 24, 4.5);

# A name has so many letters, a picture so many rows, a row so many dots, a scale so many steps.
my ($LETTERS, $MOST, $DOTS, $STEPS) = (24, 40, 200, 6);

# A scale is at least so wide on either side, and has so much more than it needs; beyond the last it ends.
my ($NARROWEST, $MARGIN, $WIDEST) = (0.01, 0.06, log 4);

sub picture {
    my ($title, @rows) = @_;
    @rows = grep { defined $_->{ratio} && $_->{ratio} > 0 } @rows or return;
    return map { _picture(@$_) } Touchstone::Report::Plot::Svg::sheets($title, $MOST, @rows);
}

sub _picture {
    my ($title, @rows) = @_;
    my $scale   = _scale(@rows);
    my $bottom  = $ROW * @rows;
    my @content = (_grid($scale, $bottom), map { _row($scale, $ROW * ($_ + 0.5), $rows[$_]) } 0 .. $#rows);
    return [
        picture => Touchstone::Report::Plot::Svg::scrolled(
            title   => $title,
            width   => $WIDTH,
            height  => $bottom + $FOOT,
            class   => 'forest',
            content => \@content,
            says    => "$title. The table has the figures."
        )
    ];
}

sub _scale {
    my @logs = map { log } grep { $_ > 0 }
        map { ($_->{ratio}, @{ $_->{interval} || [] }, @{ $_->{others} || [] }) } @_;
    my ($low, $high) =
        (max(-$WIDEST, min(@logs, -$NARROWEST)), min($WIDEST, max(@logs, $NARROWEST)));
    my $more = $MARGIN * ($high - $low);
    ($low, $high) = map { exp } $low - $more, $high + $more;
    return { low => $low, high => $high, at => logarithmic($low, $high, $LEFT, $RIGHT) };
}

sub _grid {
    my ($scale, $bottom) = @_;
    return map {
        my $x = $scale->{at}->(1 + $_ / 100);
        (
            element(path => { class => $_ == 0 ? 'axis' : 'grid', d => "M$x 0V$bottom" }),
            label(
                $_ == 0 ? '0' : signed(sprintf '%+g', $_) . ' %',
                class => 'middle dim',
                x     => $x,
                y     => $bottom + 16
            )
        )
    } steps(($scale->{low} - 1) * 100, ($scale->{high} - 1) * 100, $STEPS);
}

sub _row {
    my ($scale, $y, $row) = @_;
    my $base  = $y + $HALF_LETTER;
    my $ratio = $row->{ratio};
    my $side  = $ratio > $scale->{high} ? 1 : $ratio < $scale->{low} ? -1 : 0;
    my $x     = $scale->{at}->(_within($scale, $ratio));
    return join '', label(short($row->{name}, $LETTERS), class => 'row', x => 0, y => $base),
        _dots($scale, $y, @{ $row->{others} || [] }),
        element(
        g => { class => $row->{class} },
        label(
            Touchstone::Report::Compare::Verdict::difference($ratio, $row->{interval}),
            class => 'end',
            x     => $DIFFERENCE,
            y     => $base
        ),
        _line($scale, $y, $row->{interval}),
        $side ? arrow($side > 0 ? $RIGHT : $LEFT, $y, $side) : diamond($x, $y)
        );
}

sub _line {
    my ($scale, $y, $interval) = @_;
    return '' if !$interval || $interval->[0] <= 0;
    my ($from, $to) = map { $scale->{at}->(_within($scale, $_)) } @$interval;
    return element(path => { class => 'stroke', d => "M$from ${y}H$to" });
}

# Many dots show no more than some of them.
sub _dots {
    my ($scale, $y, @ratios) = @_;
    my @sorted = sort { $a <=> $b } @ratios;
    @sorted = map { $sorted[ $#sorted * $_ / ($DOTS - 1) ] } 0 .. $DOTS - 1 if @sorted > $DOTS;
    return map {
        element(
            circle => { class => 'faint', cx => $scale->{at}->(_within($scale, $_)), cy => at($y), r => 2.5 })
    } @sorted;
}

sub _within { my ($scale, $ratio) = @_; return max($scale->{low}, min($scale->{high}, $ratio)) }

1;
