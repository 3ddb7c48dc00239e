# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Browse::History - the history of a score as a picture. It has a dot for each run, its interval as a
# thin line if there is room, a line at the median between changes, and at each change a mark with its size
# and date. A spark is the same without words, small enough for a cell of a table.
package Touchstone::Pack::Browse::History;
use 5.014;
use strict;
use warnings;

use List::Util qw(min max);
use POSIX ();
use Time::Local ();

use Touchstone::Base::Time qw(date);
use Touchstone::Pack::Browse::Phrases qw(change day shown span value with_copies);
use Touchstone::Report::Plot qw(at axis element label labels share spaced ticks uprights);
use Touchstone::Base::Figure qw(human seconds three_digits);
use Touchstone::Base::Direction qw(is_lower_better);
use Touchstone::Base::Text qw(plural);

# The picture is as wide as its place, and its scale is in the margin at the left.
my ($WIDTH, $TOP, $BOTTOM) = ($Touchstone::Report::Plot::ACROSS, 36, 24);

# The same for a spark, whose dots have room at all sides.
my %SPARK = (width => 220, height => 44, room => 4);

# The first and the last dot are this far from the ends of the axis.
my $INSET  = 14;
my %HEIGHT = (0 => 156, 1 => 216);

# Above $MANY runs dots are smaller and at whole pixels; above $CROWDED there are no intervals.
my ($MANY, $CROWDED) = (300, 150);

# The scale is logarithmic if the largest value is this many times the smallest.
my $WIDE = 8;

# A label at a change needs this much of the width, with its date and with its size only, in a wide picture
# and in a narrow one, which has each second date of the axis. Near the ends, the labels of the axis begin or
# end at their places.
my %LABEL = (long => 160, short => 45, narrow => 460, narrow_short => 130);
my $EDGE  = 112;

# Labels of the upright axis are this many pixels apart.
my $LINE = 14;

# A step of dates has its length in seconds, roughly, its unit, and its months.
my $DAY   = 86400;
my @STEPS = (
    (map { [ $_ * 60,         'minute' ] } 1, 2, 5, 10, 30, 60, 180, 360, 720),
    (map { [ $_ * $DAY,       'day' ] } 1, 2, 7, 14),
    (map { [ $_ * 30 * $DAY,  'month', $_ ] } 1, 2, 3, 6),
    (map { [ $_ * 365 * $DAY, 'year',  12 * $_ ] } 1, 2, 5, 10, 100, 1000),
);
my %FORMAT = (minute => '%m-%d %H:%M', day => '%Y-%m-%d', month => '%Y-%m', year => '%Y');

# Shows a round value without zeros at the end; the title of the axis has the unit of those without one.
sub _tick {
    my ($series, $value) = @_;
    my $shown =
          is_lower_better($series)             ? seconds($value)
        : _unit($series) eq 'bytes per second' ? human($value, undef, $series->{unit})
        :                                        human($value);
    return $shown =~ s{\.(\d*?)0+(?= |\z)}{length $1 ? ".$1" : ""}er;
}

# Draws a series of Touchstone::Compare::Trend that has two runs or more.
sub figure {
    my ($series, $year) = @_;
    my ($x, $y, $height, $lines, @labels) = _scales($series);
    my $points  = $series->{points};
    my @changes = _changes($series, $x, $year);
    push @$lines, (@$points <= $CROWDED ? _intervals($points, $x, $y) : ()), _levels($series, $x, $y),
        _dots($series, $x, $y),
        map { element(path => { class => 'dashed', d => "M$_->[0],${TOP}V" . ($height - $BOTTOM) }) }
        @changes;
    my $title   = shown($series->{host} // with_copies($series));
    my $text    = join ', ', "$title: " . _shown($series, $points->[-1]) . ' now', _reach($series);
    my $picture = Touchstone::Report::Plot::fluid(
        description => join(', ',
            $text,
            span(map { $_->{date} } @$points[ 0, -1 ]),
            map { "$_->{date} " . change($_->{speed}) } @{ $series->{changes} }),
        height  => $height,
        class   => 'trend' . (@$points > $MANY ? ' many' : ''),
        lines   => $lines,
        content => [ @labels, map { @$_[ 1 .. $#$_ ] } @changes ]
    );
    return Touchstone::Report::Plot::figure(title => $text, picture => $picture);
}

sub _shown { my ($series, $point) = @_; return value($series, @$point{qw(score interval)}) }

# Returns "1043 to 1115 in 100 runs".
sub _reach {
    my ($series) = @_;
    my $points = $series->{points};
    my ($least, $most) = @$points[ 0, 0 ];
    for my $point (@$points) {
        $least = $point if $point->{score} < $least->{score};
        $most  = $point if $point->{score} > $most->{score};
    }
    return join(' to ', map { _shown($series, $_) } $least, $most) . ' in ' . plural(scalar @$points, 'run');
}

# Draws a series without words: dots, levels and where they change.
sub spark {
    my ($series) = @_;
    my $points   = $series->{points};
    my @scores   = map { $_->{score} } @$points;
    my ($low, $high) = _room(min(@scores), max(@scores));
    my ($width, $height, $room) = @SPARK{qw(width height room)};
    my $x = axis($points->[0]{at}, $points->[-1]{at}, $room,           $width - $room);
    my $y = axis($low,             $high,             $height - $room, $room);
    my %seen;
    my $dots = join '', grep { !$seen{$_}++ }
        map { sprintf 'M%d,%dh0', $x->{at}->($_->{at}), $y->{at}->($_->{score}) } @$points;
    return Touchstone::Report::Plot::picture(
        width       => $width,
        height      => $height,
        class       => 'spark' . (@$points > $SPARK{width} / 2 ? ' many' : ''),
        description => join(', ', _reach($series), span(map { $_->{date} } @$points[ 0, -1 ])),
        content     => [ element(path => { class => 'dots', d => $dots }), _levels($series, $x, $y) ]
    );
}

# Values within two per cent of each other stay near the middle, so that a change of a thousandth does not
# look like a landslide.
sub _room {
    my ($low, $high) = @_;
    return $high - $low < $high / 50 ? ($low - $low / 100, $high + $high / 100) : ($low, $high);
}

sub _scales {
    my ($series) = @_;
    my $points   = $series->{points};
    my $height   = $HEIGHT{ $series->{index} };
    my ($from, $to) = ($series->{from} // $points->[0]{at}, $series->{to} // $points->[-1]{at});
    my @all =
        map { ($_->{score}, @$points <= $CROWDED && _has_interval($_) ? @{ $_->{interval} } : ()) } @$points;
    my ($low, $high) = (min(@all), max(@all));
    my $wide = $high > $WIDE * $low;
    ($low, $high) = _room($low, $high) if !$wide;
    my $x     = axis($from, $to, $INSET, $WIDTH - $INSET);
    my $y     = axis($low, $high, $height - $BOTTOM - 4, $TOP + 6, log => $wide ? 10 : undef);
    my @ticks = spaced($y, $LINE, map { [ $_, _tick($series, $_) ] } ticks($y, $wide ? 6 : 4));
    my $lines = join '', map { 'M0,' . $y->{at}->($_->[0]) . "H$WIDTH" } @ticks;
    my ($axis, @dates) = _dates($x, $height, $from, $to, $points->[-1]{offset});
    return (
        $x, $y, $height,
        [ element(path => { class => 'grid', d => $lines }), $axis ],
        label(_axis($series, $wide), class => 'dim title', x => 0, y => 12),
        labels($y, 0, @ticks), @dates
    );
}

# Titles the upright axis: what is shown, and what could mislead about it.
sub _axis {
    my ($series, $wide) = @_;
    my $what =
        $series->{index} ? 'index' : is_lower_better($series) ? 'seconds: less is better' : _unit($series);
    return "$what, " . ($wide ? 'log scale' : 'axis does not begin at 0');
}

sub _unit {
    my ($series) = @_;
    my ($size)   = map { $_->{score} } $series->{points}[-1];
    return (Touchstone::Base::Figure::magnitude($size, $series->{unit}))[1] =~ m{B/s\z}
        ? 'bytes per second'
        : $series->{unit};
}

# Dates are those of the newest run's time zone, `offset` seconds from UTC.
sub _dates {
    my ($x, $height, $first, $last, $offset) = @_;
    my ($from, $to) = map { $_ + $offset } $first, $last;
    my ($step) = grep { ($to - $from) / $_->[0] <= 6 } @STEPS;
    $step //= $STEPS[-1];
    my ($seconds, $kind, $months) = @$step;
    my @at = $months ? _months($from, $to, $months) : map { $_ * $seconds }
        POSIX::ceil($from / $seconds) .. POSIX::floor($to / $seconds);
    @at = ($from) if !@at;
    my $bottom = $height - $BOTTOM;
    my @places = map { $x->{at}->($_ - $offset) } @at;
    my $axis   = join '', "M0,${bottom}H$WIDTH", map { "M$_,${bottom}v4" } @places;
    return (
        element(path => { class => 'axis', d => $axis }),
        map {
            my $end = $places[$_] < $EDGE ? '' : $places[$_] > $WIDTH - $EDGE ? ' end' : ' middle';
            label(
                date($FORMAT{$kind}, $at[$_]),
                class => 'dim' . $end . ($_ % 2 ? ' roomy' : ''),
                x     => share($places[$_]),
                y     => $height - 4
            )
        } 0 .. $#at
    );
}

sub _months {
    my ($from, $to, $months) = @_;
    my ($month, $year) = (gmtime $from)[ 4, 5 ];
    my $first = int((12 * ($year + 1900) + $month) / $months);
    return grep { $_ >= $from && $_ <= $to }
        map     { my $n = $_ * $months; Time::Local::timegm(0, 0, 0, 1, $n % 12, int($n / 12)) }
        $first .. $first + 8;
}

# Says whether a scale can show the interval; a record may hold anything.
sub _has_interval {
    my ($point) = @_;
    return $point->{interval} && !grep { $_ <= 0 } @{ $point->{interval} };
}

sub _intervals {
    my ($points, $x, $y) = @_;
    my @known = grep { _has_interval($_) } @$points or return;
    my $lines = uprights($x, $y, map { [ $_->{at}, @{ $_->{interval} } ] } @known);
    return element(path => { class => 'thin', d => $lines });
}

# A level reaches from its first run to its last.
sub _levels {
    my ($series, $x, $y) = @_;
    return if !@{ $series->{changes} };
    return element(
        path => {
            class => 'level',
            d     => join '',
            map {
                my ($from, $to) = map { $x->{at}->($series->{points}[$_]{at}) } @$_{qw(from to)};
                "M$from," . $y->{at}->($_->{value}) . "H$to"
            } @{ $series->{levels} }
        }
    );
}

# Each dot has what the script needs to describe it: its value, which the script makes short, and its run as
# the distance from the one before.
sub _dots {
    my ($series, $x, $y) = @_;
    my $points = $series->{points};
    my $many   = @$points > $MANY;
    my ($place, @steps) = (0);
    for my $point (@$points) { push @steps, $place - $point->{run}; $place = $point->{run} }
    my $bare =
        is_lower_better($series)
        ? \&seconds
        : sub { return $_[1] ? Touchstone::Base::Figure::figure(@_) : three_digits($_[0]) };
    my @values = map { $bare->($_->{score}, $_->{interval}) } @$points;
    my @places = map {
        my @at = ($x->{at}->($_->{at}), $y->{at}->($_->{score}));
        $many ? map { int($_ + 0.5) } @at : @at
    } @$points;
    my $path = join '', map { "M$places[2 * $_],$places[2 * $_ + 1]h0" } 0 .. $#$points;
    return element(
        path => { class => 'dots', d => $path, 'data-runs' => "@steps", 'data-values' => join '|', @values });
}

# Each change as its place, with a label of its size, and its date if there is room before the next change. A
# label without room is in the table only.
sub _changes {
    my ($series, $x, $year) = @_;
    my @places = map { at($x->{at}->($_->{at}) - 3) } @{ $series->{changes} };
    my ($free, @marks) = (0);
    for my $i (0 .. $#places) {
        my ($change, $place) = ($series->{changes}[$i], $places[$i]);
        push @marks, [$place];
        next if $place < $free;
        my $room   = ($places[ $i + 1 ] // $WIDTH) - $place;
        my $behind = $i ? $place - $places[ $i - 1 ] - $LABEL{narrow_short} : $place;
        my $is_end = $place > $WIDTH - $LABEL{ $behind >= $LABEL{narrow} ? 'narrow' : 'narrow_short' };
        $room = $behind if $is_end;
        push @{ $marks[-1] }, _mark($change, $place, $room, $is_end, $year);
        $free = $place + $LABEL{ $room >= $LABEL{long} ? 'long' : 'short' };
    }
    return @marks;
}

# The label of a change, with this room behind or before it.
sub _mark {
    my ($change, $place, $room, $is_end, $year) = @_;
    my @class = ($change->{speed} > 1 ? 'good' : 'bad', $is_end ? 'end' : ());
    push @class, 'roomy' if $room < $LABEL{narrow_short};
    my $date = ' since ' . day($change->{date}, $year);
    return element(
        text => { class => "@class", x => share($place), y => $TOP - 4 },
        change($change->{speed}),
        $room < $LABEL{long}
        ? ()
        : element(tspan => { class => $room < $LABEL{narrow} ? 'roomy' : undef }, $date)
    );
}

1;
