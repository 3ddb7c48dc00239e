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
use POSIX qw(floor ceil);

use Touchstone::Base::Figure qw(three_digits);
use Touchstone::Base::Symbols qw($TIMES);
use Touchstone::Report::Plot qw(element escaped label logarithmic at arrow diamond);
use Touchstone::Base::Text qw(copies plural short);

# A panel of a test and one of an index have scales of this width and height.
my %SIZE = (test => [ 170, 120 ], index => [ 300, 212 ]);

# The scale has this much room on each side; labels of copies are at least $APART apart.
my ($LEFT, $RIGHT, $TOP, $BOTTOM, $APART) = (36, 14, 26, 38, 17);

# A speed-up beyond this many times of what the CPUs can give, or below $LOWEST, is drawn at the edge: a
# single wrong figure leaves the others readable.
my ($BEYOND, $LOWEST) = (2, 0.25);

# A picture of more rows than these leaves their figures to the table.
my $MOST_SAID = 16;

# A scale has about this many labels of speed-ups.
my $LABELS = 4;

# These are for rows: the columns, letters of a title, height of a row, half of a letter, and the most rows
# of a picture that fit on a page of paper.
my ($WIDTH, $NAMES, $ENDS, $LETTERS, $ROW, $HALF_LETTER, $MOST) = (580, 208, 512, 30, 22, 4.5, 36);

# Returns markup. `table` is what Touchstone::Score::Scaling returns:
#
#   { cpus, copies,
#     ideal => [ [ copies, speed-up ] ],
#     rows  => [ { title, index, speedup, efficiency, limits,
#                  law => [ points ],
#                  top => the peak, if within what was measured } ] }
sub pictures {
    my ($table)  = @_;
    my $scale    = { copies => $table->{copies}, ideal => $table->{ideal}, _limits_of_scale($table) };
    my $is_mixed = grep { $_->{team} } @{ $table->{rows} };
    $scale->{many} = sub { return copies($_[0]) . ($is_mixed ? ' or threads' : '') };
    my @rows =
        sort { $b->{index} <=> $a->{index} || ($a->{minor} // 0) <=> ($b->{minor} // 0) } @{ $table->{rows} };
    return _listed($scale, @rows) if @{ $table->{copies} } == 2;
    return join '', qq{<div class="panels">\n}, (map { _panel($scale, $_) } @rows), '</div>';
}

sub _limits_of_scale {
    my ($table) = @_;
    my @ideal   = map  { $_->[1] } @{ $table->{ideal} };
    my @known   = grep { defined && $_ > 0 } map {
        (@{ $_->{speedup} }, map { @{ $_ || [] } } @{ $_->{limits} || [] })
    } @{ $table->{rows} };
    my $low = max($LOWEST * min(@ideal), min(@ideal, @known));
    return (low => $low, top => max(2 * $low, min($BEYOND * max(@ideal), max(@ideal, @known))));
}

# Explains the pictures of a table.
sub legend {
    my ($table) = @_;
    my @limits  = grep { defined } map { @{ $_->{limits} || [] } } @{ $table->{rows} };
    my $is_law  = @{ $table->{copies} } > 2 && grep { $_->{law} } @{ $table->{rows} };
    my @said    = (
        @{ $table->{copies} } == 2 ? 'Log scale.' : 'Log scales.',
        'Dashed: ' . _ideal($table) . '.',
        @limits ? 'Thin lines: 95 % intervals.' : (),
        $is_law
        ? 'Thick line: fitted law' . ((grep { $_->{top} } @{ $table->{rows} }) ? '; ring: its peak.' : '.')
        : ()
    );
    return "@said";
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
    my ($scale, @rows) = @_;
    my $at = { low => $scale->{low}, top => $scale->{top}, x => _clamped($scale, $NAMES, $ENDS) };
    return join '',
        map { _list($at, $scale->{ideal}[-1][1], @$_) }
        Touchstone::Report::Plot::sheets('Speed-up with ' . $scale->{many}->($scale->{copies}[1]),
        $MOST, @rows);
}

# Returns places of speed-ups; those beyond the scale are at its edge.
sub _clamped {
    my ($scale, $from, $to) = @_;
    my $place = logarithmic(@$scale{qw(low top)}, $from, $to);
    return sub { return $place->(max($scale->{low}, min($scale->{top}, $_[0]))) };
}

sub _list {
    my ($at, $ideal, $title, @rows) = @_;
    my $bottom = $ROW * @rows;
    my @content =
        (_across($at, $bottom, $ideal), map { _listed_row($at, $ROW * ($_ + 0.5), $rows[$_]) } 0 .. $#rows);
    return Touchstone::Report::Plot::scrolled(
        title   => $title,
        width   => $WIDTH,
        height  => $bottom + $BOTTOM,
        class   => 'plot',
        content => \@content,
        says    => _listed_words($title, @rows)
    );
}

# Says the figures to those who do not see them, as long as they are few.
sub _listed_words {
    my ($title, @rows) = @_;
    my @said =
        map { "$_->{title} " . (($_->{speedup}[1] // 0) > 0 ? _times($_->{speedup}[1]) : 'not known') } @rows;
    return @said > $MOST_SAID ? "$title. The table has the figures." : "$title: " . join('; ', @said) . '.';
}

sub _across {
    my ($at, $bottom, $ideal) = @_;
    my @grid;
    for my $power (_powers($at->{low}, $at->{top})) {
        my $x = $at->{x}->($power);
        push @grid, element(path => { class => $power == 1 ? 'axis' : 'grid', d => "M$x 0V$bottom" }),
            label($power, class => 'dim middle', x => $x, y => $bottom + 16);
    }
    return (
        @grid,
        element(path => { class => 'dashed', d => 'M' . $at->{x}->($ideal) . " 0V$bottom" }),
        label('Speed-up', class => 'dim middle', x => at(($NAMES + $ENDS) / 2), y => $bottom + 33)
    );
}

sub _listed_row {
    my ($at, $y, $row) = @_;
    my ($speedup, $limits) = ($row->{speedup}[1] // 0, $row->{limits}[1]);
    my $base = $y + $HALF_LETTER;
    my $bold = $row->{index} && !$row->{minor} ? ' bold'                   : '';
    my $said = $speedup > 0                    ? _times($speedup, $limits) : 'not known';
    return join '',
        label(
        short($row->{title} . ($row->{team} ? ', threads' : ''), $LETTERS),
        class => "row$bold",
        x     => 0,
        y     => $base
        ),
        ($limits      ? _interval($at, $y, @$limits)            : ()),
        ($speedup > 0 ? _mark($at, $y, $speedup, $row->{index}) : ()),
        label($said, class => "end$bold", x => $WIDTH, y => $base);
}

# A line that leaves the scale ends in an arrow.
sub _interval {
    my ($at, $y, $low, $high) = @_;
    return if $high < $at->{low} || $low > $at->{top};
    my ($from, $to) = map { $at->{x}->($_) } $low, $high;
    return (
        element(path => { class => 'joined', d => "M$from ${y}H$to" }),
        $low < $at->{low}  ? arrow($from, $y, -1, class => 'mark') : (),
        $high > $at->{top} ? arrow($to,   $y, 1,  class => 'mark') : ()
    );
}

sub _mark {
    my ($at, $y, $speedup, $is_index) = @_;
    my $x    = $at->{x}->($speedup);
    my $side = $speedup > $at->{top} ? 1 : $speedup < $at->{low} ? -1 : 0;
    return arrow($x, $y, $side, class => 'mark') if $side;
    return $is_index
        ? diamond($x, $y, class => 'mark')
        : element(circle => { class => 'mark', cx => $x, cy => $y, r => 4 });
}

sub _panel {
    my ($scale, $row)    = @_;
    my ($wide, $high)    = @{ $SIZE{ $row->{index} && !$row->{minor} ? 'index' : 'test' } };
    my ($right, $bottom) = ($LEFT + $wide, $TOP + $high);
    my @copies = @{ $scale->{copies} };
    my $at     = {
        low => $scale->{low},
        top => $scale->{top},
        x   => logarithmic($copies[0], $copies[-1], $LEFT, $right),
        y   => _clamped($scale, $bottom, $TOP)
    };
    my $said    = _said($scale, $row);
    my @content = (
        _axes($at, $row, \@copies, $right, $bottom),
        element(path => { class => 'dashed', d => _path($at, @{ $scale->{ideal} }) }),
        _law($at, $row),
        _measured($at, \@copies, $row)
    );
    return join '', '<figure><figcaption>', escaped($row->{title}), "</figcaption>\n<small>$said</small>\n",
        Touchstone::Report::Plot::picture(
        width   => $right + $RIGHT,
        height  => $bottom + $BOTTOM,
        says    => "$row->{title}: $said. The table has the figures.",
        content => \@content
        ),
        "</figure>\n";
}

# Tells the speed-up with the most copies.
sub _said {
    my ($scale, $row) = @_;
    my $speedup = $row->{speedup}[-1];
    return ($speedup // 0) > 0
        ? _times($speedup, $row->{limits}[-1]) . ' with ' . _count($row, $scale->{copies}[-1])
        : 'not known';
}

sub _count { my ($row, $n) = @_; return $row->{team} ? plural($n, 'thread') : copies($n) }

# Returns "1.80 x" with no more digits than the interval supports, and an exponent for extreme values.
sub _times {
    my ($speedup, $limits) = @_;
    return (
        $speedup >= 1e6 || $speedup < 1e-3
        ? sprintf '%.3g', $speedup
        : three_digits($speedup, $limits)
    ) . " $TIMES";
}

sub _axes {
    my ($at, $row, $copies, $right, $bottom) = @_;
    my @ups;
    for my $power (_powers($at->{low}, $at->{top})) {
        my $y = $at->{y}->($power);
        push @ups, element(path => { class => 'grid', d => "M$LEFT ${y}H$right" }),
            label($power, class => 'dim end', x => $LEFT - 6, y => at($y + 4));
    }
    my @counts;
    my $last;

    # The most copies always have a label, the others if there is room.
    for my $count (reverse @$copies) {
        my $x = $at->{x}->($count);
        next if defined $last && $last - $x < $APART;
        push @counts, label($count, class => 'dim middle', x => $x, y => $bottom + 16);
        $last = $x;
    }
    return (
        @ups,
        (reverse @counts),
        label('Speed-up', class => 'dim', x => 0, y => 12),
        label(
            $row->{team} ? 'Threads' : 'Copies',
            class => 'dim middle',
            x     => at(($LEFT + $right) / 2),
            y     => $bottom + 33
        )
    );
}

# Returns powers of two from the lowest to the highest, 1 among them.
sub _powers {
    my ($low,  $high) = @_;
    my ($from, $to)   = (ceil(log($low) / log(2) - 1e-9), floor(log($high) / log(2) + 1e-9));
    my $step = max(1, ceil(($to - $from + 1) / $LABELS));
    return map { 2**$_ } grep { $_ % $step == 0 } $from .. $to;
}

sub _path {
    my ($at, @points) = @_;
    return 'M' . join 'L', map { $at->{x}->($_->[0]) . ' ' . $at->{y}->($_->[1]) } @points;
}

sub _law {
    my ($at, $row) = @_;
    return '' if !$row->{law};
    my $line = element(path => { class => 'law', d => _path($at, @{ $row->{law} }) });
    my $peak = $row->{top} or return $line;
    return $line
        . element(circle =>
            { class => 'open second', cx => $at->{x}->($peak->[0]), cy => $at->{y}->($peak->[1]), r => 5 });
}

sub _measured {
    my ($at, $copies, $row) = @_;
    my @known  = grep { ($row->{speedup}[$_] // 0) > 0 } 0 .. $#$copies;
    my @points = map  { [ $copies->[$_], $row->{speedup}[$_] ] } @known;
    my @limits = map {
        'M' . $at->{x}->($copies->[$_]) . ' ' . join 'V', map { $at->{y}->($_) } @{ $row->{limits}[$_] }
    } grep { $row->{limits}[$_] } @known;
    my @lines = (@limits, @points > 1 ? _path($at, @points) : ());
    return join '', @lines ? element(path => { class => 'joined', d => join '', @lines }) : (),
        map { _dot($at, $row, @$_) } @points;
}

# Draws a dot, or an arrow at the edge if the value is beyond it.
sub _dot {
    my ($at, $row, $copies, $speedup) = @_;
    my ($x, $y) = ($at->{x}->($copies), $at->{y}->($speedup));
    my $tip  = element(title => {}, _count($row, $copies) . ': ' . _times($speedup));
    my $away = $speedup > $at->{top} ? -8 : $speedup < $at->{low} ? 8 : 0;
    return element(path => { class => 'mark', d => 'M' . at($x - 5) . " ${y}h10l-5 ${away}z" }, $tip)
        if $away;
    return element(circle => { class => 'mark', cx => $x, cy => $y, r => 3 }, $tip);
}

1;
