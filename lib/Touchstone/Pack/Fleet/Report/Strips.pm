# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Report::Strips - all hosts of a group as pictures: from left to right the slowest to the
# fastest over all figures, upwards their speed compared with the median of the group, with its interval:
#
#          |                          o
#      0 --+------------o--o--o--o--o----
#          |      o--o
#          |   v
#              web09
#
# The picture of the mean names those that stand out, whose marks have shapes of their own. Those of single
# figures are the rows of a heat map with the same order of hosts, and belong in a table. A thousand hosts are
# a few paths, so a page stays small.
package Touchstone::Pack::Fleet::Report::Strips;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Base::Text qw(width);
use Touchstone::Pack::Fleet::Report::Phrases qw(class figure shown_name with_limits word);
use Touchstone::Report::Plot qw(at axis element label labels percents reach shape share tip);

# Pictures are as wide as their places. Pixels: the height of that of the mean, the room above it, the height
# of a row of names, and that of a small picture.
my ($WIDTH, $HEIGHT, $TOP, $NAMES) = ($Touchstone::Report::Plot::ACROSS, 210, 10, 17);
my $SMALL_HEIGHT = 24;

# The least deviations of the shades of a heat map.
my @SHADES = (0.01, 0.03, 0.06, 0.1);

# Beyond this many hosts points are small; and beyond the second number those in a small picture have no tips,
# as the page would become too large.
my ($CROWD, $TIPS) = (120, 60);

# A scale is at least this high, as a logarithm. A value this many times as far as the middle one is
# at its end, with the mark of its host.
my ($LEAST, $FAR) = (0.02, 60);

# The most hosts that are named, the letters of a name, and the most that a letter takes of the width of a
# narrow picture.
my ($MOST, $LETTERS, $LETTER) = (16, 24, 24);

# Marks, with what they mean, in the order in which hosts get names.
my @MARKS = (
    [ bad          => 'slow, confirmed by new runs', down    => 5, 'bad-mark' ],
    [ suspect      => 'suspect',                     diamond => 5, 'suspect-mark' ],
    [ inconclusive => 'inconclusive',                square  => 4, 'other-mark' ],
    [ fast         => 'fast',                        up      => 5, 'fast-mark' ],
    [ cleared      => 'cleared by new runs',         square  => 4, 'other-mark' ]
);
my %RANK = map { $MARKS[$_][0] => $_ } 0 .. $#MARKS;

# The marks of these hosts with their meanings, as spans.
sub legend {
    my (@hosts) = @_;
    my %seen    = map { class($_) => 1 } @hosts;
    return map { ({ as => 'span', text => [ { picture => _sample(@$_[ 2 .. 4 ]) }, " $_->[1]" ] }, ' ') }
        grep { $seen{ $_->[0] } } @MARKS;
}

sub _sample {
    my ($kind, $radius, $class) = @_;
    return element(
        svg => { width => 14, height => 14, viewBox => '0 0 14 14', 'aria-hidden' => 'true' },
        shape($kind, $radius, 7, 7, class => $class)
    );
}

# The picture of the mean over all figures.
sub of_mean {
    my ($group) = @_;
    my @hosts   = grep { defined $_->{ratio} } @{ $group->{hosts} };
    my @values  = map  { +{ ratio => $_->{ratio}, interval => $_->{interval}, host => $_ } } @hosts;
    return '' if @values < 2;
    my $bottom = $TOP + $HEIGHT;
    my $x      = _across(scalar @values);
    my $y      = _upwards($FAR, $bottom, $TOP, @values);
    my @ticks  = percents($y, 5, 13);
    my ($paths, @marks) = _points($x, $y, @values);
    my ($rows, $leaders, @names) = _names($x, $y, @values);
    my $picture = Touchstone::Report::Plot::fluid(
        height      => $bottom + 8 + $NAMES * $rows,
        class       => @values > $CROWD ? 'mean crowd' : 'mean',
        description => _description('the mean over all figures', @values),
        lines => [ (map { _level($y, $_->[0]) } @ticks), @$paths, @$leaders, _columns($x, $bottom, @values) ],
        content => [ labels($y, 0, @ticks), @marks, @names ]
    );
    return Touchstone::Report::Plot::figure(
        title   => 'Speed of each host over all figures, compared with the median of the group',
        picture => $picture
    );
}

sub _level {
    my ($y, $value) = @_;
    return element(
        path => { class => $value == 1 ? 'axis' : 'grid', d => 'M0 ' . $y->{at}->($value) . "H$WIDTH" });
}

# The hosts that have a figure, each as [ host, what its group says of the figure ].
sub compared {
    my ($group, $figure) = @_;
    return grep { defined(($_->[1] || {})->{ratio}) }
        map { [ $_, $_->{figures}{ $figure->{key} } ] } grep { defined $_->{ratio} } @{ $group->{hosts} };
}

# A row of a heat map for a figure that two hosts or more have: a cell for each host, in the order of the
# picture of the mean, whose colour says how far it is from the median.
sub of_figure {
    my ($group, $figure) = @_;
    my @known  = map { +{ %{ $_->[1] }, host => $_->[0] } } compared($group, $figure);
    my %value  = map { $_->{host} => $_ } @known;
    my @values = map { $value{$_} } grep { defined $_->{ratio} } @{ $group->{hosts} };
    my $x      = _across(scalar @values);
    my $wide   = at($x->(1) - $x->(0));
    my %cells;
    for my $i (grep { $values[$_] } 0 .. $#values) {
        my $shade = _shade($values[$i]{ratio});
        $cells{$shade} .= 'M' . at($x->($i) - $wide / 2) . " 1h${wide}v" . ($SMALL_HEIGHT - 2) . "h-${wide}z";
    }
    return Touchstone::Report::Plot::fluid(
        height      => $SMALL_HEIGHT,
        class       => 'small',
        description => _description(figure($figure), @known),
        lines       => [
            (map { element(path => { class => "heat $_", d => $cells{$_} }) } sort keys %cells),
            @values > $TIPS ? () : _columns($x, $SMALL_HEIGHT, @values)
        ]
    );
}

# "slow2": at least 3 % slower than the median, "fast1": at least 1 % faster, or "even".
sub _shade {
    my ($ratio) = @_;
    my $shade = grep { abs(1 - $ratio) >= $_ } @SHADES;
    return $shade ? ($ratio < 1 ? 'slow' : 'fast') . $shade : 'even';
}

# The shades with their meanings, as spans.
sub shades {
    my @known = (
        (map { [ "slow$_", '&#8722;' . 100 * $SHADES[ $_ - 1 ] ] } reverse 1 .. @SHADES),
        [ even => '0' ],
        map { [ "fast$_", '+' . 100 * $SHADES[ $_ - 1 ] ] } 1 .. @SHADES
    );
    return map {
        my $cell = element(rect => { class => "heat $_->[0]", width  => 14, height        => 14 });
        my $svg  = element(svg  => { width => 14,             height => 14, 'aria-hidden' => 'true' }, $cell);
        ({ as => 'span', text => [ { picture => "$svg $_->[1]" }, ' %' ] }, ' ')
    } @known;
}

# A function from the number of a host to its place.
sub _across {
    my ($many) = @_;
    return axis(-0.5, $many - 0.5, 0, $WIDTH)->{at};
}

# The axis of these ratios, with room for a typical interval.
sub _upwards {
    my ($far, $bottom, $top, @values) = @_;
    my @logs   = map { log $_->{ratio} } @values;
    my $reach  = reach($far, map { max($LEAST / 20, abs) } @logs);
    my @shown  = map  { max(-$reach, min($reach, $_)) } @logs;
    my @halves = sort { $a <=> $b }
        map { $_->{interval} ? log($_->{interval}[1] / $_->{interval}[0]) / 2 : 0 } @values;
    my $margin = min($halves[ $#halves / 2 ], $far * $reach) * 1.2 + 0.001;
    my ($low, $high) = (min(-$LEAST / 2, @shown) - $margin, max($LEAST / 2, @shown) + $margin);
    return axis(exp $low, exp $high, $bottom, $top, log => 10, origin => 1);
}

# Intervals and points of the many as a list of two paths, and a mark for each that stands out.
sub _points {
    my ($x, $y, @values) = @_;
    my (@spans, @dots, @marks);
    for my $i (grep { $values[$_] } 0 .. $#values) {
        my ($across, $value) = ($x->($i), $values[$i]);
        my ($up, $low, $high) = map { $y->{at}->($_) } $value->{ratio}, @{ $value->{interval} || [ 1, 1 ] };
        push @spans, "M$across ${low}V$high" if $low != $high;
        my $rank = $RANK{ class($value->{host}) };
        if (defined $rank) {
            my ($kind, $radius, $class) = @{ $MARKS[$rank] }[ 2 .. 4 ];
            push @marks,
                element(svg => { x => share($across) }, shape($kind, $radius, 0, $up, class => $class));
        } else {
            push @dots, "M$across ${up}h0";
        }
    }
    my @paths = ([ spans => @spans ], [ hosts => @dots ]);
    return ([ map { element(path => { class => $_->[0], d => join '', @$_[ 1 .. $#$_ ] }) } @paths ], @marks);
}

# What a pointer meets above and below each host.
sub _columns {
    my ($x, $height, @values) = @_;
    my $width = max(1, $x->(1) - $x->(0));
    my %whole = (class => 'whole', y => 0, width => at($width), height => $height);
    return map { element(rect => { %whole, x => at($x->($_) - $width / 2) }, tip(_tip($values[$_]))) }
        grep { $values[$_] } 0 .. $#values;
}

sub _tip {
    my ($value) = @_;
    return join ' ', shown_name($value->{host}{host}), with_limits($value),
        grep { length } word($value->{host});
}

# Names of those that stand out, below the picture in as many rows as they need. Returns the number of rows,
# a list of lines to the names, and these.
sub _names {
    my ($x, $y, @values) = @_;
    my $rank  = sub { return $RANK{ class($values[ $_[0] ]{host}) } };
    my @named = sort { $rank->($a) <=> $rank->($b) || $a <=> $b } grep { defined $rank->($_) } 0 .. $#values;
    splice @named, $MOST if @named > $MOST;
    my (@ends, @leaders, @labels);
    for my $i (sort { $a <=> $b } @named) {
        my $name  = shown_name($values[$i]{host}{host}, $LETTERS);
        my $wide  = $LETTER * width($name) + 16 * ($name =~ tr/\x80-\xff//);
        my $is_at = $x->($i);
        my $end   = $is_at > $WIDTH / 2;
        my $from  = $end ? max(0, $is_at - $wide) : $is_at;
        my ($row) = grep { ($ends[$_] // -1) < $from } 0 .. @ends;
        $ends[$row] = $from + $wide + 8;
        my $base = $y->{start} + $NAMES * ($row + 1);
        my $line = "M$is_at " . at($y->{at}->($values[$i]{ratio}) + 7) . 'V' . at($base - 12);
        push @leaders, element(path => { class => 'leader', d => $line });
        push @labels,
            label(
            $name,
            class => $end ? 'end' : undef,
            x     => share($is_at),
            y     => at($base)
            );
    }
    return (scalar @ends, \@leaders, @labels);
}

sub _description {
    my ($what, @values) = @_;
    my ($low,  $high)   = (sort { $a <=> $b } map { $_->{ratio} } @values)[ 0, -1 ];
    my %many;
    $many{ class($_->{host}) }++ for @values;
    return sprintf '%d hosts by %s, %.3f to %.3f of the median%s', scalar @values, $what, $low, $high,
        join '', map { $many{$_} ? ", $many{$_} $_" : '' } qw(bad suspect fast);
}

1;
