# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Byte1984::PiecewiseLine - a straight line, or a line with one bend, through repeated measurements:
#
#   y = intercept + slope x        y = c + before x up to the bend; behind it the slope is `after`
#
# Noise is proportional to what is measured, so each x has the weight 1 / median^2: the fit makes the squares
# of relative misses least.
package Touchstone::Suite::Byte1984::PiecewiseLine;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum min max);

use Touchstone::Stats::Significance;
use Touchstone::Stats qw(mean median);

# A line has two parameters, a hinge four; with fewer values nothing is left to judge them by.
my ($LEAST_VALUES, $LEAST_X) = (6, 4);

# A bend is believed if its p is below $MAX_P and the slope changes by more than this part of the larger
# slope. The second condition keeps a curve of one per cent, which enough passes make certain, from being
# called a bend.
our $MAX_P  = 0.01;
our $CHANGE = 0.2;

# The bend is tried at about this many positions, and at no fewer than $BETWEEN between two x.
my ($POSITIONS, $BETWEEN) = (300, 4);
my $TAIL = 0.025;

# Squares of relative misses below this are rounding errors.
my $NOTHING = 1e-18;

# Values beyond these are no measurements, and their squares have no digits left.
my ($SMALLEST, $LARGEST, $MOST_RATIO) = (1e-100, 1e100, 1e6);

# The part of a hinge that no line explains must be this large, as a part of the hinge; less is a rounding
# error.
my $LEAST_OWN = 1e-9;
my @IN_UNITS =
    qw(intercept slope slope_low slope_high before before_low before_high after after_low after_high);

# Fits the points [ [x, [values]], ... ]. Returns { why => 'text' } where there is no line to see, otherwise:
#
#   intercept, slope            of the straight line
#   slope_low, slope_high       95 % interval of the slope
#   p                           the chance that a straight line looks so bent
#   bend                        undef when there is none to believe; the keys below come with one
#   bend_low, bend_high
#   before, before_low, before_high, after, after_low, after_high
sub fit {
    my ($points) = @_;
    my %values;
    push @{ $values{ 0 + $_->[0] } }, @{ $_->[1] } for @$points;
    my @x   = sort { $a <=> $b } grep { @{ $values{$_} } } keys %values;
    my @all = map  { @{ $values{$_} } } @x;
    return { why => 'too few' }                      if @all < $LEAST_VALUES || @x < $LEAST_X;
    return { why => 'a value is not positive' }      if grep { !defined $_    || !($_ > 0) } @all;
    return { why => 'a value is out of range' }      if grep { $_ < $SMALLEST || $_ > $LARGEST } @all;
    return { why => 'the values are too far apart' } if max(@all) / min(@all) > $MOST_RATIO;

    # All values are divided by the median, so that no square of a weight overflows.
    my $unit = median(@all);
    my @data = map {
        _point($_, map { $_ / $unit } @{ $values{$_} })
    } @x;
    my $line = _line(@data);
    my ($misses, $freedom) = (_misses($line, @data), @all - 2);
    my %fit = (
        intercept => $line->{intercept},
        _slope(slope => $line, $misses / $freedom, $freedom),
        bend => undef,
        p    => 1
    );
    %fit = (%fit, _bend($line, $misses, @all - 4, @data)) if $misses > $NOTHING * @all;
    return { %fit, map { $_ => $fit{$_} * $unit } grep { defined $fit{$_} } @IN_UNITS };
}

# Returns what all sums need of the values at one x: their mean, its `weight`, and the weighted squares of
# their distances from it.
sub _point {
    my ($x, @values) = @_;
    my $each = 1 / median(@values)**2;
    my $mean = mean(@values);
    return {
        x       => $x,
        y       => $mean,
        weight  => $each * @values,
        scatter => $each * sum(map { ($_ - $mean)**2 } @values)
    };
}

# Fits a line by weighted least squares. The variance of the slope is that of the values, divided by `sxx`.
sub _line {
    my (@data) = @_;
    my $weight = sum(map { $_->{weight} } @data);
    my ($x, $y) = map {
        my $key = $_;
        sum(map { $_->{weight} * $_->{$key} } @data) / $weight
    } qw(x y);
    my $sxx   = sum(map { $_->{weight} * ($_->{x} - $x)**2 } @data);
    my $slope = sum(map { $_->{weight} * ($_->{x} - $x) * ($_->{y} - $y) } @data) / $sxx;
    return { weight => $weight, x => $x, sxx => $sxx, slope => $slope, intercept => $y - $slope * $x };
}

sub _misses {
    my ($line, @data) = @_;
    return sum(
        map { $_->{scatter} + $_->{weight} * ($_->{y} - $line->{intercept} - $line->{slope} * $_->{x})**2 }
            @data);
}

# Returns (name => slope, name_low, name_high).
sub _slope {
    my ($name, $line, $variance, $freedom) = @_;
    my $half = sqrt($variance / $line->{sxx}) * Touchstone::Stats::Significance::t_quantile($TAIL, $freedom);
    return (
        $name          => $line->{slope},
        "${name}_low"  => $line->{slope} - $half,
        "${name}_high" => $line->{slope} + $half
    );
}

# Finds the bend with the least squares, and leaves it out unless it is to be believed. For a given position
# of the bend F with 2 and n degrees of freedom has a closed form: its chance is (misses of the hinge /
# misses of the line) ^ (n / 2).
sub _bend {
    my ($line, $misses, $freedom, @data) = @_;

    # The sums for all positions share these: the weighted distance from the middle, and the weighted miss of
    # the line.
    my @points = map {
        [
            $_->{x}, $_->{weight},
            $_->{weight} * ($_->{x} - $line->{x}),
            $_->{weight} * ($_->{y} - $line->{intercept} - $line->{slope} * $_->{x})
        ]
    } @data;
    my @tried = map { [ $_, _reduction($_, $line, @points) ] } _positions(map { $_->{x} } @data);
    my ($best) = sort { $b->[1]{reduction} <=> $a->[1]{reduction} || $a->[0] <=> $b->[0] } @tried;
    my ($bend, $turn) = ($best->[0], $best->[1]{turn});
    my $left   = max(0, $misses - $best->[1]{reduction});
    my $p      = ($left / $misses)**($freedom / 2);
    my $before = $line->{slope} - $turn * $best->[1]{tilt};
    my $after  = $before + $turn;
    return (p => $p) if $p >= $MAX_P || abs $turn < $CHANGE * max(abs $before, abs $after);

    # The bend may be at any position that is not significantly worse than the best.
    my $limit = max($left, $NOTHING) *
        (1 + Touchstone::Stats::Significance::t_quantile($TAIL, $freedom)**2 / $freedom);
    my @likely = map { $_->[0] } grep { $misses - $_->[1]{reduction} <= $limit } @tried;
    return (
        p         => $p,
        bend      => $bend,
        bend_low  => $likely[0],
        bend_high => $likely[-1],
        _side(before => $before, $left / $freedom, $freedom, grep { $_->{x} <= $bend } @data),
        _side(after  => $after,  $left / $freedom, $freedom, grep { $_->{x} >= $bend } @data),
    );
}

# When the bend is free to move, each slope is as sure as that of a line through the points of its own side.
sub _side {
    my ($name, $slope, $variance, $freedom, @data) = @_;
    return _slope($name, { %{ _line(@data) }, slope => $slope }, $variance, $freedom);
}

# Returns the positions tried, from the second x to the last but one: each side needs two x, or its slope
# would follow from a single one. They are at each x and evenly spaced between.
sub _positions {
    my (@x)   = @_;
    my @inner = @x[ 1 .. $#x - 1 ];
    my $steps = max($BETWEEN, int($POSITIONS / $#inner));
    return (
        (
            map {
                my $i = $_;
                map { $inner[$i] + ($inner[ $i + 1 ] - $inner[$i]) * $_ / $steps } 0 .. $steps - 1
            } 0 .. $#inner - 1
        ),
        $inner[-1]
    );
}

# A hinge adds to the line the part of max(0, x - bend) that no line explains. Taken `turn` times, which is
# the change of the slope, it lessens the misses by `gain`; `tilt` is the slope of the part that a line does
# explain.
sub _reduction {
    my ($bend, $line, @points) = @_;
    my ($sum, $sxh, $shh, $shy) = (0, 0, 0, 0);
    for my $point (@points) {
        my $h = $point->[0] - $bend;
        next if $h <= 0;
        $sum += $point->[1] * $h;
        $shh += $point->[1] * $h * $h;
        $sxh += $point->[2] * $h;
        $shy += $point->[3] * $h;
    }
    my $tilt     = $sxh / $line->{sxx};
    my $variance = $shh - $sum * $sum / $line->{weight} - $tilt * $sxh;
    return { reduction => 0, turn => 0, tilt => $tilt } if $variance <= $LEAST_OWN * $shh;
    return { reduction => $shy * $shy / $variance, turn => $shy / $variance, tilt => $tilt };
}

1;
