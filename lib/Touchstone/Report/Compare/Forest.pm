# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare::Forest - a pair of runs that Compare has judged, as pictures for a page: one for each copy
# count, all on one logarithmic scale:
#
#                              m7a faster |      c7i faster
#   pipe   +3.1 %  ^ faster            ###|###   --o--
#   spawn  +0.2 %  o no difference    ####|-o--
#   ------
#   index  +1.6 %  ^ faster              #|#  --<>--
#                              -2 %       0        +2 %
#
# A point is the ratio of both runs, the line its 95 % interval, and the band (#) the differences that could
# not have been seen. A line that leaves the scale ends in an arrow. Verdicts stand before the scale, so that
# a narrow window shows them. The table below the picture has the figures.
package Touchstone::Report::Compare::Forest;
use 5.014;
use strict;
use warnings;

use List::Util qw(min max);

use Touchstone::Base::Symbols qw($TIMES signed);
use Touchstone::Report::Plot::Svg qw(element escaped label logarithmic steps decades at arrow diamond);
use Touchstone::Base::Text qw(copies short);
use Touchstone::Report::Compare::Verdict qw(difference limits);
use Touchstone::Report::Verdict qw(class is_clear sign word);

# Columns begin here: names, the difference (where it ends), the mark, the verdict, the scale.
my ($WIDTH, $DIFFERENCE, $MARK, $VERDICT, $LEFT, $RIGHT) = (960, 236, 250, 262, 372, 920);

# These are heights of the head, of a row, of what is below the rows, and of the middle of a letter.
my ($HEAD, $ROW, $FOOT, $HALF_LETTER) = (24, 22, 24, 4.5);

# The name of a test, and the name of a run, have at most this many letters.
my ($LETTERS, $NAME) = (24, 36);

# A picture has at most this many rows.
my $MOST = 36;

# A scale is at least this wide, as a logarithm. If all is on one side of 1, the other side still has this
# part of the scale. The third number is the margin, as a part.
my ($NARROWEST, $LEAST_SIDE, $MARGIN) = (0.004, 0.2, 0.06);

# Labels of a scale are at least this far apart.
my $APART = 60;

# A scale of several pairs may be this many times as wide as that of one pair.
my $CROWDED = 3;

# What is drawn around a place for a verdict of this class, or else of this sign.
my %MARK = (
    good => sub {
        my ($x, $y) = @_;
        return element(path => { d => 'M' . at($x - 5) . ' ' . at($y + 4) . 'h10l-5 -9z' });
    },
    bad => sub {
        my ($x, $y) = @_;
        return element(path => { d => 'M' . at($x - 5) . ' ' . at($y - 4) . 'h10l-5 9z' });
    },
    '=' => sub {
        my ($x, $y) = @_;
        return element(circle => { class => 'open', cx => $x, cy => $y, r => 4 });
    },
    '?' => sub {
        my ($x, $y) = @_;
        return label('?', class => 'middle bold dim', x => $x, y => $y + $HALF_LETTER);
    }
);

# Returns parts of a page:
#
#   pair     a pair of Compare
#   names    of both runs
#   among    the pairs that share the scale, usually this one only; if they are much further apart, the pair
#            has a scale of its own
#   legend   whether it is explained
#   of       what is shown, if it is not all: it stands before the number of copies
sub parts {
    my (%is)  = @_;
    my @among = @{ $is{among} || [ $is{pair} ] };
    my @rows  = _rows($is{pair});
    my $scale = _scale_among(\@rows, map { _rows($_) } @among) or return;
    my (%with, @parts);
    push @{ $with{ $_->{copies} } }, $_ for @rows;
    for my $copies (sort { $a <=> $b } keys %with) {
        push @parts,
            map { [ picture => _figure($scale, $is{names}, @$_) ] }
            Touchstone::Report::Plot::Svg::sheets((defined $is{of} ? "$is{of}, " : '') . copies($copies),
            $MOST, @{ $with{$copies} });
    }
    return ($is{legend} ? _legend($is{names}[0], @rows) : (), @parts);
}

sub _rows {
    my ($pair) = @_;
    return (
        (map { +{ %$_, index => 0 } } @{ $pair->{tests} }),
        map { +{ %$_, index => 1 } } @{ $pair->{indexes} }
    );
}

# Explains how to read what is in the picture.
sub _legend {
    my ($first, @rows) = @_;
    my @said = (
        "Dot: speed compared with $first (right: faster), filled if significant.",
        (grep { $_->{interval} } @rows)
        ? 'Line: 95 % interval, with an arrow where it leaves the scale.'
        : (),
        (grep { $_->{detectable} } @rows) ? 'Grey: too small to detect.'  : (),
        (grep { $_->{index} } @rows)      ? 'Diamond: an index.'          : (),
        (grep { !$_->{interval} } @rows)  ? 'Without a line: not tested.' : ()
    );
    return [ text => { text => "@said", class => 'dim' } ];
}

# Returns the scale of all pairs if that leaves enough room for these rows, otherwise one of their own.
sub _scale_among {
    my ($rows, @all) = @_;
    my $own    = _scale(@$rows) or return;
    my $of_all = _scale(@all);
    return
        log($of_all->{high} / $of_all->{low}) <= $CROWDED * log($own->{high} / $own->{low}) ? $of_all : $own;
}

# Returns { at => place of a ratio, low, high, ticks => [ [ratio, text], ... ] }, or nothing if no ratio is
# known.
sub _scale {
    my (@rows) = @_;
    my @known  = grep { $_->{interval} && _is_above_zero($_->{ratio}, @{ $_->{interval} }) } @rows;
    @known = grep { _is_above_zero($_->{ratio}) } @rows if !@known;
    return if !@known;
    my @ends = map {
        [ map { log } $_->{ratio}, @{ $_->{interval} || [] } ]
    } @known;
    my $reach = Touchstone::Report::Plot::Svg::reach(
        map {
            max(map { abs } @$_)
        } @ends
    );
    my @shown = map { max(-$reach, min($reach, $_)) } map { @$_ } @ends;
    my ($low, $high) = (min(-$NARROWEST / 2, @shown), max($NARROWEST / 2, @shown));
    my $side = $LEAST_SIDE * ($high - $low);
    ($low, $high) = map { exp } min($low, -$side) - $MARGIN * ($high - $low),
        max($high, $side) + $MARGIN * ($high - $low);
    my $at = logarithmic($low, $high, $LEFT, $RIGHT);
    return {
        at    => $at,
        low   => $low,
        high  => $high,
        ticks => [
            _apart(
                $at,
                $high > $Touchstone::Report::Compare::Verdict::FACTOR
                    || $low < 1 / $Touchstone::Report::Compare::Verdict::FACTOR
                ? _ratios($low, $high)
                : _percents($at, $low, $high)
            )
        ]
    };
}

sub _is_above_zero {
    return !grep { !(defined && $_ > 0) } @_;
}

sub _ratios {
    my ($low, $high) = @_;
    return map { [ $_, sprintf "%g $TIMES", $_ ] } decades($low, $high);
}

# Returns as many ticks as there is room for.
sub _percents {
    my ($at, $low, $high) = @_;
    my @ticks;
    for my $many (8, 4, 2) {
        @ticks = map { [ 1 + $_ / 100, $_ ? signed(sprintf '%+g %%', $_) : '0' ] }
            steps(($low - 1) * 100, ($high - 1) * 100, $many);
        last if @ticks == _apart($at, @ticks);
    }
    return @ticks;
}

# Returns the ticks whose labels do not touch; the label of 1 is always among them.
sub _apart {
    my ($at, @ticks) = @_;
    my @placed;
    for my $tick (sort { abs(log $a->[0]) <=> abs(log $b->[0]) } @ticks) {
        my $place = $at->($tick->[0]);
        push @placed, $tick if !grep { abs($at->($_->[0]) - $place) < $APART } @placed;
    }
    my @sorted = sort { $a->[0] <=> $b->[0] } @placed;
    return @sorted;
}

sub _figure {
    my ($scale, $names, $title, @rows) = @_;
    my $bottom  = $HEAD + $ROW * @rows;
    my @content = _frame($scale, $bottom, @$names);
    for my $i (0 .. $#rows) {
        my $y = $HEAD + $ROW * ($i + 0.5);
        push @content, element(path => { class => 'axis', d => 'M0 ' . at($y - $ROW / 2) . "H$WIDTH" })
            if $i && $rows[$i]{index} && !$rows[ $i - 1 ]{index};
        push @content, _row($scale, $y, $rows[$i]);
    }
    return Touchstone::Report::Plot::Svg::scrolled(
        title   => $title,
        width   => $WIDTH,
        height  => $bottom + $FOOT,
        class   => 'forest',
        content => \@content,
        says    => "$title: " . _counted(@rows) . '. The table has the figures.'
    );
}

# Returns "2 faster, 1 slower".
sub _counted {
    my %count;
    $count{ $_->{verdict} }++ for @_;
    return join ', ',
        map { "$count{$_} " . word($_) } grep { $count{$_} } Touchstone::Report::Verdict::order();
}

# Draws the scale, and names the run that is faster on each side.
sub _frame {
    my ($scale, $bottom, $first, $second) = @_;
    my @grid;
    for my $tick (@{ $scale->{ticks} }) {
        my $x = $scale->{at}->($tick->[0]);
        push @grid,
            element(path => { class => $tick->[0] == 1 ? 'axis' : 'grid', d => "M$x ${HEAD}V$bottom" }),
            label($tick->[1], class => 'middle dim', x => $x, y => $bottom + 16);
    }
    ($first, $second) = map { short($_, $NAME) } $first, $second;
    return (
        @grid,
        label("$first faster",  class => 'dim',     x => $LEFT,  y => 13),
        label("$second faster", class => 'end dim', x => $RIGHT, y => 13)
    );
}

sub _row {
    my ($scale, $y, $row) = @_;
    my $class  = class($row->{verdict});
    my $mark   = $MARK{$class} || $MARK{ sign($row->{verdict}) } || $MARK{'?'};
    my $bold   = $row->{index} ? ' bold' : '';
    my $base   = $y + $HALF_LETTER;
    my @judged = (
        _interval($scale, $y, $row),
        _point($scale, $y, $row),
        label(
            difference(@$row{qw(ratio interval)}),
            class => "end$bold",
            x     => $DIFFERENCE,
            y     => $base
        ),
        $mark->($MARK, $y),
        label(word($row->{verdict}), x => $VERDICT, y => $base)
    );
    return join '', _band($scale, $y, $row),
        label(short(_label($row), $LETTERS), class => "row$bold", x => 0, y => $base),
        element(g => { class => $class }, @judged),
        element(
        rect => { class => 'whole', x => 0, y => at($y - $ROW / 2), width => $WIDTH, height => $ROW },
        element(title => {}, escaped(_tip($row)))
        );
}

sub _label { my ($row) = @_; return Touchstone::Report::Compare::Verdict::label($row, 'html') }

sub _tip {
    my ($row) = @_;
    return join q{}, $row->{called} // $row->{name}, ": ",
        difference(@$row{qw(ratio interval)}),
        $row->{interval}
        ? ' (' . limits(@$row{qw(ratio interval)}) . ')'
        : (), ', ' . word($row->{verdict}), defined $row->{why} ? ": $row->{why}" : ();
}

# Draws the band of differences that could not have been seen.
sub _band {
    my ($scale, $y, $row) = @_;
    return '' if !$row->{detectable};
    my ($from, $to) = map { $scale->{at}->(_within($scale, $_)) } 1 / (1 + $row->{detectable}),
        1 + $row->{detectable};
    return element(
        rect => { class => 'range', x => $from, y => at($y - 6), width => at($to - $from), height => 12 });
}

sub _interval {
    my ($scale, $y, $row) = @_;
    return '' if !$row->{interval} || !_is_above_zero(@{ $row->{interval} });
    my ($low, $high) = @{ $row->{interval} };

    # The whole interval is beyond the scale.
    return arrow($RIGHT, $y, 1)  if $low > $scale->{high};
    return arrow($LEFT,  $y, -1) if $high < $scale->{low};
    my ($from, $to) = map { $scale->{at}->(_within($scale, $_)) } $low, $high;
    return join '', element(path => { class => 'stroke', d => "M$from ${y}H$to" }),
        $low < $scale->{low} ? arrow($LEFT, $y, -1) : (), $high > $scale->{high} ? arrow($RIGHT, $y, 1) : ();
}

sub _within { my ($scale, $ratio) = @_; return max($scale->{low}, min($scale->{high}, $ratio)) }

sub _point {
    my ($scale, $y, $row) = @_;
    my $ratio = $row->{ratio};
    return '' if !_is_above_zero($ratio);
    my $side = $ratio > $scale->{high} ? 1 : $ratio < $scale->{low} ? -1 : 0;

    # If there is an interval, it has an arrow already.
    return $row->{interval} ? '' : arrow($side > 0 ? $RIGHT : $LEFT, $y, $side) if $side;
    my $x     = $scale->{at}->($ratio);
    my $class = is_clear($row->{verdict}) ? undef : 'open';
    return $row->{index}
        ? diamond($x, $y, class => $class)
        : element(circle => { class => $class, cx => $x, cy => $y, r => 4 });
}

1;
