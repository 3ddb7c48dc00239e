# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Plot::ScalingChart - how efficient several copies are, from a table of Touchstone::Score::Scaling: a
# panel for each test, all on the same scales.
#
#   Pipe throughput
#   6.3 x with 16 copies, 79 %
#   Efficiency
#   100 % |o-o__ - - -   a dashed line: each CPU does as much as one alone
#         |     `o       dots: what was measured
#    50 % |       `o     a smooth line: the law, where one was fitted, and a ring at its peak
#          1 2  4  8  16
#             Copies
#
# Thin lines are 95 % intervals. Upright lines are at the numbers of cores and CPUs. Copies are on a
# logarithmic scale, because they are mostly doubled.
package Touchstone::Report::Plot::ScalingChart;
use 5.014;
use strict;
use warnings;

use List::Util qw(min max);

use Touchstone::Base::Figure qw(three_digits);
use Touchstone::Base::Symbols qw($TIMES);
use Touchstone::Report::Plot qw(axis chart element point shape spaced through ticks uprights);
use Touchstone::Base::Text qw(copies plural);

# The width and the height of the scales, and the room around them. Labels of copies are $MIN_DISTANCE apart.
my ($WIDE, $HIGH) = (112, 110);
my ($LEFT, $RIGHT, $TOP, $MIN_DISTANCE) = (50, 12, 26, 17);

# An efficiency beyond this is drawn at the edge: a single wrong figure leaves the others readable.
my $BEYOND = 1.5;

# The scale has about this many labels.
my $LABELS = 4;

# Returns markup. `table` is what Touchstone::Score::Scaling returns:
#
#   { cpus, copies,
#     ideal => [ [ copies, speed-up ] ],
#     marks => [ [ 8, '8 cores' ] ],
#     rows  => [ { title, index, speedup, efficiency, limits,
#                  law => [ points ],
#                  top => the peak, if within what was measured } ] }
#
# A test whose copies see figures of their own has the speed of a copy in place of the efficiency.
sub pictures {
    my ($table) = @_;
    my $high = _highest($table);
    my @rows =
        sort { $b->{index} <=> $a->{index} || ($a->{minor} // 0) <=> ($b->{minor} // 0) } @{ $table->{rows} };
    return join '', qq{<div class="panels">\n}, (map { _panel($table, $high, $_) } @rows), '</div>';
}

# Returns a sub from a copy count and a speed-up to the part of perfect scaling.
sub _efficiency {
    my ($table, $row) = @_;
    my $first   = min($table->{copies}[0], $table->{cpus});
    my $is_seen = !grep { defined } @{ $row->{efficiency} };
    return sub {
        my ($count, $speedup) = @_;
        return $is_seen ? $speedup : $speedup * $first / min($count, $table->{cpus});
    };
}

sub _highest {
    my ($table) = @_;
    my @all = map {
        my $row = $_;
        my $of  = _efficiency($table, $row);
        map      { $of->($table->{copies}[$_], $row->{speedup}[$_]) }
            grep { defined $row->{speedup}[$_] }
            0 .. $#{ $table->{copies} }
    } @{ $table->{rows} };
    return min($BEYOND, max(1.05, @all));
}

# Explains the pictures of a table.
sub legend {
    my ($table) = @_;
    my @limits  = grep { defined } map { @{ $_->{limits} || [] } } @{ $table->{rows} };
    my $is_law  = grep { $_->{law} } @{ $table->{rows} };
    my @marks   = map  { $_->[1] } _marks($table);
    my @phrases = (
        'Dots: measured efficiency, with their 95 % intervals as thin lines.' x !!@limits
            || 'Dots: measured efficiency.',
        'Dashed: ' . _ideal($table) . '.',
        $is_law
        ? 'Thick line: fitted law' . ((grep { $_->{top} } @{ $table->{rows} }) ? '; ring: its peak.' : '.')
        : (),
        @marks ? 'Upright lines: ' . join(', ', @marks) . '.' : ()
    );
    return "@phrases";
}

# The marks that are within the scale of copies.
sub _marks {
    my ($table) = @_;
    my ($from, $to) = @{ $table->{copies} }[ 0, -1 ];
    return grep { $_->[0] > $from && $_->[0] < $to } @{ $table->{marks} || [] };
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

sub _panel {
    my ($table, $high, $row) = @_;
    my @copies = @{ $table->{copies} };
    my $x      = axis(@copies[ 0, -1 ], $LEFT, $LEFT + $WIDE, log => 2);
    my $y      = axis(0,                $high, $TOP + $HIGH,  $TOP);
    my $of     = _efficiency($table, $row);
    my $text   = _times($row->{speedup}[-1], $row->{limits}[-1]);
    $text .= ' with ' . _count($row, $copies[-1]) if ($row->{speedup}[-1] // 0) > 0;
    $text .= sprintf ', %.0f %%', $row->{efficiency}[-1] if defined $row->{efficiency}[-1];

    # The most copies always have a label, the others if there is room.
    my @counts = spaced($x, $MIN_DISTANCE, map { [ $_, $_ ] } reverse @copies);
    my @parts  = map   { [ $_, sprintf '%.0f %%', 100 * $_ ] } ticks($y, $LABELS);
    my $seen   = !grep { defined } @{ $row->{efficiency} };
    return chart(
        title       => $row->{title},
        note        => $text,
        description => "$row->{title}: $text. The table has the figures.",
        x           => $x,
        y           => $y,
        ticks       => [ \@counts,                            \@parts ],
        titles      => [ $row->{team} ? 'Threads' : 'Copies', $seen ? 'Speed of a copy' : 'Efficiency' ],
        room        => $RIGHT,
        content     => [
            element(path => { class => 'dashed', d => through($x, $y, map { [ $_, 1 ] } @copies[ 0, -1 ]) }),
            (
                map { element(path => { class => 'thin', d => uprights($x, $y, [ $_->[0], 0, $high ]) }) }
                    _marks($table)
            ),
            _law($x, $y, $of, $row),
            _measured($x, $y, $of, \@copies, $row)
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
    my ($x, $y, $of, $row) = @_;
    my ($law, $top) = @$row{qw(law top)};
    return if !$law;
    my ($peak, @line) = map { $_ && [ $_->[0], $of->(@$_) ] } $top, @$law;
    return (
        element(path => { class => 'law', d => through($x, $y, @line) }),
        $peak
        ? shape(dot => 5, $x->{at}->($peak->[0]), $y->{at}->($peak->[1]), class => 'open second')
        : ()
    );
}

sub _measured {
    my ($x, $y, $of, $copies, $row) = @_;
    my @known =
        grep { ($_->[1] // 0) > 0 }
        map { [ $copies->[$_], $row->{speedup}[$_], $row->{limits}[$_] ] } 0 .. $#$copies;
    my @limits = map {
        my $n = $_->[0];
        [ $n, map { $of->($n, $_) } @{ $_->[2] } ]
    } grep { $_->[2] } @known;
    my @line  = map { [ $_->[0], $of->(@$_[ 0, 1 ]) ] } @known;
    my $lines = uprights($x, $y, @limits) . (@known > 1 && !$row->{law} ? through($x, $y, @line) : '');
    my @dots  = map {
        my $part = $of->(@$_[ 0, 1 ]);
        my $tip =
              _count($row, $_->[0]) . ': '
            . _times($_->[1])
            . ($part < 10 ? sprintf ', %.0f %%', 100 * $part : '');
        point($y, $part, $x->{at}->($_->[0]), dot => 3, class => 'mark', tip => $tip)
    } @known;
    return ($lines ne '' ? element(path => { class => 'joined', d => $lines }) : (), @dots);
}

1;
