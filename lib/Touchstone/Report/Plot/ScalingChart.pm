# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Plot::ScalingChart - how speed grows with the copies, from a table of Touchstone::Score::Scaling. A
# table of two copy counts becomes a row for each test:
#
#   Index                        --<>--      :      3.1 x
#   Pipe throughput                      --o-:      3.8 x
#                       1       2            4
#                           Speed-up
#
# More copy counts become a panel for each test, all on the same scales:
#
#   Pipe throughput
#   6.3 x with 16 copies
#   Speed-up
#   8 |      . -----     a dashed line: each CPU does as much as one alone
#     |   .' __o--o      dots: what was measured
#   1 |o_o-'             a smooth line: the law, where one was fitted, and a ring at its peak
#      1 2  4  8  16
#             Copies
#
# Thin lines are 95 % intervals. All scales are logarithmic, because copies are mostly doubled; a test that
# loses nothing by more copies rises as steeply as the dashed line.
package Touchstone::Report::Plot::ScalingChart;
use 5.014;
use strict;
use warnings;

use List::Util qw(min max);

use Touchstone::Base::Figure qw(three_digits);
use Touchstone::Base::Symbols qw($TIMES);
use Touchstone::Report::Plot
    qw(at axis chart element estimate label point rows shape spaced through ticks uprights);
use Touchstone::Base::Text qw(copies plural);

# A panel of a test and one of an index have scales of this width and height.
my %SIZE = (test => [ 170, 120 ], index => [ 300, 212 ]);

# The scale has this much room; labels of copies are at least $MIN_DISTANCE apart.
my ($LEFT, $RIGHT, $TOP, $MIN_DISTANCE) = (36, 14, 26, 17);

# A speed-up beyond this many times of what the CPUs can give, or below $LOWEST, is drawn at the edge: a
# single wrong figure leaves the others readable.
my ($BEYOND, $LOWEST) = (2, 0.25);

# A picture of more rows than these leaves their figures to the table.
my $MAX_LABELS = 16;

# A scale has about this many labels of speed-ups.
my $LABELS = 4;

# These are for rows: the width, where the scale begins and ends, letters of a title, the height of a row,
# and the most rows of a picture that fit on a page of paper.
my ($WIDTH, $NAMES, $ENDS, $LETTERS, $ROW, $MOST) = (580, 208, 512, 30, 22, 36);

# Returns markup. `table` is what Touchstone::Score::Scaling returns:
#
#   { cpus, copies,
#     ideal => [ [ copies, speed-up ] ],
#     rows  => [ { title, index, speedup, efficiency, limits,
#                  law => [ points ],
#                  top => the peak, if within what was measured } ] }
sub pictures {
    my ($table) = @_;
    my @limits = _limits_of_scale($table);
    my @rows =
        sort { $b->{index} <=> $a->{index} || ($a->{minor} // 0) <=> ($b->{minor} // 0) } @{ $table->{rows} };
    return _listed($table, \@limits, @rows) if @{ $table->{copies} } == 2;
    return join '', qq{<div class="panels">\n}, (map { _panel($table, \@limits, $_) } @rows), '</div>';
}

sub _limits_of_scale {
    my ($table) = @_;
    my @ideal   = map  { $_->[1] } @{ $table->{ideal} };
    my @known   = grep { defined && $_ > 0 } map {
        (@{ $_->{speedup} }, map { @{ $_ || [] } } @{ $_->{limits} || [] })
    } @{ $table->{rows} };
    my $low = max($LOWEST * min(@ideal), min(@ideal, @known));
    return ($low, max(2 * $low, min($BEYOND * max(@ideal), max(@ideal, @known))));
}

# Explains the pictures of a table.
sub legend {
    my ($table) = @_;
    my @limits  = grep { defined } map { @{ $_->{limits} || [] } } @{ $table->{rows} };
    my $is_law  = @{ $table->{copies} } > 2 && grep { $_->{law} } @{ $table->{rows} };
    my @phrases = (
        @{ $table->{copies} } == 2 ? 'Log scale.' : 'Log scales.',
        'Dashed: ' . _ideal($table) . '.',
        @limits ? 'Thin lines: 95 % intervals.' : (),
        $is_law
        ? 'Thick line: fitted law' . ((grep { $_->{top} } @{ $table->{rows} }) ? '; ring: its peak.' : '.')
        : ()
    );
    return "@phrases";
}

# Names what the CPUs would give without loss. CPUs may lend each other some of their power, so more is
# possible.
sub _ideal {
    my ($table) = @_;
    my $first = $table->{copies}[0];
    return
          'perfect scaling on '
        . plural($table->{cpus}, 'CPU')
        . ($first == 1 ? '' : ", from $first copies");
}

# Draws the rows of two copy counts.
sub _listed {
    my ($table, $limits, @rows) = @_;
    my $axis   = axis(@$limits, $NAMES, $ENDS, log => 2, origin => 1);
    my $copies = copies($table->{copies}[1]) . ((grep { $_->{team} } @rows) ? ' or threads' : '');
    return join '',
        rows(
        title       => "Speed-up with $copies",
        description => \&_row_words,
        class       => 'plot',
        width       => $WIDTH,
        height      => $ROW,
        most        => $MOST,
        letters     => $LETTERS,
        axis        => $axis,
        ticks       => [ ticks($axis, $LABELS) ],
        below       => 'Speed-up',
        dashed      => $table->{ideal}[-1][1],
        rows        => [ map { _row($axis, $_) } @rows ]
        );
}

# Says the figures to those who do not see them, as long as they are few.
sub _row_words {
    my ($title, @rows) = @_;
    return @rows > $MAX_LABELS
        ? "$title. The table has the figures."
        : "$title: " . join('; ', map { $_->{words} } @rows) . '.';
}

sub _row {
    my ($axis, $row) = @_;
    my %figure = (value => $row->{speedup}[1] // 0, interval => $row->{limits}[1]);
    my $bold   = $row->{index} && !$row->{minor} ? ' bold'        : '';
    my @mark   = $row->{index}                   ? (diamond => 6) : (dot => 4);
    my $times  = _times(@figure{qw(value interval)});
    my $draw   = sub {
        my ($y) = @_;
        return (
            $figure{value} > 0
            ? estimate($axis, $y, \%figure, @mark, line => 'joined', class => 'mark')
            : (),
            label($times, class => "end$bold", x => $WIDTH, y => at($y + 4.5))
        );
    };
    return {
        name  => $row->{title} . ($row->{team} ? ', threads' : ''),
        words => "$row->{title} " . _times($figure{value}),
        bold  => $bold,
        draw  => $draw
    };
}

sub _panel {
    my ($table, $limits, $row) = @_;
    my ($wide, $high) = @{ $SIZE{ $row->{index} && !$row->{minor} ? 'index' : 'test' } };
    my @copies = @{ $table->{copies} };
    my $x      = axis(@copies[ 0, -1 ], $LEFT,        $LEFT + $wide, log => 2);
    my $y      = axis(@$limits,         $TOP + $high, $TOP,          log => 2);
    my $text   = _times($row->{speedup}[-1], $row->{limits}[-1]);
    $text .= ' with ' . _count($row, $copies[-1]) if ($row->{speedup}[-1] // 0) > 0;

    # The most copies always have a label, the others if there is room.
    my @counts = spaced($x, $MIN_DISTANCE, map { [ $_, $_ ] } reverse @copies);
    return chart(
        title       => $row->{title},
        note        => $text,
        description => "$row->{title}: $text. The table has the figures.",
        x           => $x,
        y           => $y,
        ticks       => [ \@counts,                            [ ticks($y, $LABELS) ] ],
        titles      => [ $row->{team} ? 'Threads' : 'Copies', 'Speed-up' ],
        room        => $RIGHT,
        content     => [
            element(path => { class => 'dashed', d => through($x, $y, @{ $table->{ideal} }) }),
            _law($x, $y, $row),
            _measured($x, $y, \@copies, $row)
        ]
    );
}

sub _count { my ($row, $n) = @_; return $row->{team} ? plural($n, 'thread') : copies($n) }

# Returns "1.80 x" with no more digits than the interval supports, and an exponent for extreme values.
sub _times {
    my ($speedup, $limits) = @_;
    return 'not known' if ($speedup // 0) <= 0;
    return (
        $speedup >= 1e6 || $speedup < 1e-3
        ? sprintf '%.3g', $speedup
        : three_digits($speedup, $limits)
    ) . " $TIMES";
}

sub _law {
    my ($x, $y, $row) = @_;
    my ($law, $peak) = @$row{qw(law top)};
    return if !$law;
    return (
        element(path => { class => 'law', d => through($x, $y, @$law) }),
        $peak
        ? shape(dot => 5, $x->{at}->($peak->[0]), $y->{at}->($peak->[1]), class => 'open second')
        : ()
    );
}

sub _measured {
    my ($x, $y, $copies, $row) = @_;
    my @known =
        grep { ($_->[1] // 0) > 0 }
        map { [ $copies->[$_], $row->{speedup}[$_], $row->{limits}[$_] ] } 0 .. $#$copies;
    my @limits = map { [ $_->[0], @{ $_->[2] } ] } grep { $_->[2] } @known;
    my $lines  = uprights($x, $y, @limits) . (@known > 1 ? through($x, $y, @known) : '');
    my @dots   = map {
        my $tip = _count($row, $_->[0]) . ': ' . _times($_->[1]);
        point($y, $_->[1], $x->{at}->($_->[0]), dot => 3, class => 'mark', tip => $tip)
    } @known;
    return ($lines ne '' ? element(path => { class => 'joined', d => $lines }) : (), @dots);
}

1;
