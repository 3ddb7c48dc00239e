# SPDX-License-Identifier: GPL-2.0-or-later
# Stats::Confidence - how sure a figure is that is made of others by products and powers: an index, a
# speed-up, a ratio of two runs. It is told by what is known of the logarithm of each:
#
#   {
#       low   => how far its 95 % interval reaches below it,
#       high  => and above it,
#       error => its standard error
#   }
#
# One figure alone keeps its interval. In a product of many the squares of the errors add up; and by as much
# as an interval of few passes is wider than its error tells, it makes that of the product wider, by the
# share that its figure has in the whole, as degrees of freedom do (Welch 1947). A reader shall find no
# contradiction: no reach is shorter than the longest that a figure has alone, nor longer than the sum of all.
#
# Convolution of the whole confidence distributions was tried: where passes have a long tail to one side, that
# of an index of many tests leaves the truth out. t/bench/coverage.pl has both.
package Touchstone::Stats::Confidence;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

use Touchstone::Stats;

# Takes a figure, its 95 % interval and the standard error of its logarithm. Returns undef where one is
# missing, or has no logarithm.
sub confidence {
    my ($value, $interval, $error) = @_;
    return undef if !defined $value || !defined $error || !$interval || $value <= 0 || $interval->[0] <= 0;
    return {
        low   => max(0, log($value / $interval->[0])),
        high  => max(0, log($interval->[1] / $value)),
        error => $error
    };
}

# The same of the median of these values.
sub of_median {
    my (@values) = @_;
    my @limits = Touchstone::Stats::interval(\@values) or return undef;
    return confidence(Touchstone::Stats::median(@values), \@limits,
        scalar Touchstone::Stats::log_error(@values));
}

# Returns how sure a product of powers of independent figures is. Each is [how sure it is, exponent]: an
# index is a product of roots, a speed-up a quotient. If one is unknown, the product is.
sub product {
    my (@figures) = @_;
    return undef if !@figures || grep { !$_->[0] } @figures;
    my @powers   = map { _power(@$_) } @figures;
    my $variance = sum(map { $_->{error}**2 } @powers);
    return {
        error => sqrt $variance,
        map {
            my $side = $_;
            $side => _reach($variance, map { [ @$_{ $side, 'error' } ] } @powers)
        } qw(low high)
    };
}

# A power below zero turns its figure round.
sub _power {
    my ($spread, $exponent) = @_;
    my ($low,    $high)     = $exponent < 0 ? qw(high low) : qw(low high);
    my $size = abs $exponent;
    return {
        low   => $size * $spread->{$low},
        high  => $size * $spread->{$high},
        error => $size * $spread->{error}
    };
}

# How far figures reach together, each of which is [its own reach, its error].
sub _reach {
    my ($variance, @figures) = @_;
    my @reaches = map { $_->[0] } @figures;
    return max(@reaches) if $variance == 0;
    my $normal = $Touchstone::Stats::NORMAL**2;
    my $beyond = sum(
        map {
            my ($reach, $error) = @$_;
            $error**2 / $variance * ($reach**2 - $normal * $error**2)
        } @figures
    );
    return max(@reaches, min(sum(@reaches), sqrt max(0, $normal * $variance + $beyond)));
}

# The interval around a figure that is so sure: [low, high], or undef.
sub limits {
    my ($value, $spread) = @_;
    return $spread ? [ $value * exp(-$spread->{low}), $value * exp($spread->{high}) ] : undef;
}

1;
