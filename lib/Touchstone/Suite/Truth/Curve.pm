# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Truth::Curve - where a curve of load times has its steps. A point is [ KB, ns ]: loads from random
# lines of so many KB take so long. What fits into a cache is found there in proportion, so the KB by which
# one size exceeds another cost
#
#   (KB2 * ns2 - KB1 * ns1) / (KB2 - KB1)
#
# which is the time of one level alone, however slowly the curve itself rises.
package Touchstone::Suite::Truth::Curve;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

our @EXPORT_OK = qw(cost crossing fitted);

# Sizes next to each other differ by no more than this factor.
my $NEAR = 1.25;

# What the KB between two sizes cost; sizes that were not measured are between those that were. Undef outside.
sub cost {
    my ($curve, $from, $to) = @_;
    my ($low, $high) = map { _total($curve, $_) } $from, $to;
    return if !defined $low || !defined $high;
    return ($high - $low) / ($to - $from);
}

# KB times ns, linear between two points.
sub _total {
    my ($curve, $kb) = @_;
    return if !@$curve || $kb < $curve->[0][0] || $kb > $curve->[-1][0];
    my ($next) = grep { $curve->[$_][0] >= $kb } 0 .. $#$curve;
    my ($area, $to) = map { $_->[0] * $_->[1] } @$curve[ $next - !!$next, $next ];
    return $to if $next == 0;
    my ($from, $until) = map { $_->[0] } @$curve[ $next - 1, $next ];
    return $area + ($to - $area) * ($kb - $from) / ($until - $from);
}

# The costs from point to point as they would be if no larger size were quicker: adjacent ones that contradict
# this share their mean (isotonic regression). Returns [ { from, to, ns } ].
sub fitted {
    my ($curve) = @_;
    my @steps;
    for my $i (1 .. $#$curve) {
        my ($from, $to) = map { $_->[0] } @$curve[ $i - 1, $i ];
        push @steps, { from => $from, to => $to, ns => cost($curve, $from, $to) };
        while (@steps > 1 && $steps[-1]{ns} < $steps[-2]{ns}) {
            my ($first, $second) = splice @steps, -2;
            push @steps, { from => $first->{from}, to => $second->{to}, ns => _mean($first, $second) };
        }
    }
    return \@steps;
}

sub _mean {
    my ($first, $second) = @_;
    my ($a, $b) = map { $_->{to} - $_->{from} } $first, $second;
    return ($a * $first->{ns} + $b * $second->{ns}) / ($a + $b);
}

# The size in KB at which the fitted costs pass `mark`: near the end of a step, on a logarithmic scale;
# undef where they do not.
sub crossing {
    my ($curve, $mark) = @_;
    my $steps = fitted($curve);
    my ($step) = grep { $steps->[$_]{ns} >= $mark } 0 .. $#$steps;
    return if !defined $step || $step == 0;
    my ($below, $above) = @$steps[ $step - 1, $step ];
    return $above->{from} if $below->{ns} <= 0;
    my $part = log($mark / $below->{ns}) / log($above->{ns} / $below->{ns});
    my ($low, $high) = map { sqrt($_->{from} * $_->{to}) } $below, $above;
    $low  = $below->{to} / $NEAR   if $low < $below->{to} / $NEAR;
    $high = $NEAR * $above->{from} if $high > $NEAR * $above->{from};
    return $low * ($high / $low)**$part;
}

1;
