# SPDX-License-Identifier: GPL-2.0-or-later
# Stats::Sequential - looking at a test again and again while it goes on, and still being wrong no more often
# than once would be: alpha spending (Lan and DeMets 1983) in the manner of O'Brien and Fleming (1979). There
# are looks after 6, 8, 10, 13, 17 ... rounds, a third more each time, and after the most that there can be.
# By the look at the part t of these, 2 - 2 Phi(z / sqrt t) may have been spent, where Phi is the normal
# distribution and z what it exceeds by a chance of alpha / 2: next to nothing at first, most of it at the
# end. A fifth of alpha is spent evenly instead, because on an idle machine six rounds tell what six of a
# hundred could not with next to nothing; elsewhere that takes no more rounds (t/bench/duets.pl).
#
# The level of a look follows from this by recursive integration (Armitage, McPherson and Rowe 1969), and is
# used for a statistic with few degrees of freedom through its p (Jennison and Turnbull 2000, 11.5). It
# depends on nothing but how many rounds there are and could have been, so whoever compares the records
# later comes to the same verdict.
package Touchstone::Stats::Sequential;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

# The first look is after so many, and each has so many times those of the one before.
my ($FIRST, $GROWTH) = (6, 4 / 3);

# This part of alpha is spent evenly.
my $EVENLY = 0.2;

# The functions of a look are known at this even number of points and one; none is further from the middle
# than $FAR standard deviations.
my ($POINTS, $FAR) = (48, 8);

# A look may spend less than this: then what earlier looks ended is too little to matter.
my $NEGLIGIBLE = 1e-12;

# Levels of a look are known for these alphas, and for those between by interpolation.
my $USUAL  = 0.05;
my @ALPHAS = map { $USUAL * 1.8**(2 - $_) } 0 .. 16;

my $ROOT_OF_2_PI = sqrt(8 * atan2 1, 1);

# The numbers of rounds at which a look may end a test that can have so many.
sub looks {
    my ($most) = @_;
    my @looks;
    for (my $n = $FIRST; $n < $most; $n = int($n * $GROWTH)) { push @looks, $n }
    return (@looks, $most);
}

# Returns whether a look is due after so many rounds.
sub is_look {
    my ($n, $most) = @_;
    return (grep { $_ == $n } looks($most)) ? 1 : 0;
}

# Returns the p at which a look after n rounds tells a difference. Where a test ended because time was over,
# as it did elsewhere than at a look, all that is left may be spent.
my %level;

sub level {
    my ($alpha, $n, $most, $is_over) = @_;
    $n = min($n, $most);
    $is_over ||= !is_look($n, $most);
    return $level{"$alpha $n $most $is_over"} //= do {
        my @before = grep { $_ < $n } looks($most);
        my $state  = _state($alpha, $most, scalar @before);
        2 * normal_above(
            _next($state, $n, ($is_over ? $alpha : _spent($alpha, $n, $most)) - $state->{spent}));
    };
}

# Returns the smallest alpha at which this look would tell a difference with such a p; 1 where that is of no
# interest. Corrected values may be corrected for the number of tests as any others (Maurer and Bretz 2013).
my %levels;

sub corrected {
    my ($p, $n, $most, $is_over) = @_;
    $n = min($n, $most);
    $is_over ||= !is_look($n, $most);
    return 0 if $p <= 0;
    my $levels = $levels{"$n $most $is_over"} //=
        [ map { log(level($_, $n, $most, $is_over) || 1e-300) } @ALPHAS ];
    my $log = log $p;
    return 1 if $log > $levels->[0];
    my $after = 1;
    $after++ while $after < $#ALPHAS && $levels->[$after] > $log;

    # Below the least alpha that is known, its ratio to its level is taken to go on.
    return min($ALPHAS[-1], $p * $ALPHAS[-1] / exp $levels->[-1]) if $log <= $levels->[-1];
    my $part = ($log - $levels->[$after]) / ($levels->[ $after - 1 ] - $levels->[$after]);
    return $ALPHAS[$after] * ($ALPHAS[ $after - 1 ] / $ALPHAS[$after])**$part;
}

# Returns how much of alpha may have been spent by a look.
sub _spent {
    my ($alpha, $n, $most) = @_;
    return $alpha if $n >= $most;
    my $late = 2 * normal_above(normal_quantile($alpha / 2) * sqrt($most / $n));
    return (1 - $EVENLY) * $late + $EVENLY * $alpha * $n / $most;
}

# What is known after so many looks: { n, spent, at => [points], weighed => [the density of sums of normal
# values that no look so far has ended, times what a point stands for in an integral] }.
my %states;

sub _state {
    my ($alpha, $most, $looks) = @_;
    my $states = $states{"$alpha $most"} //= [ { n => 0, spent => 0, at => [0], weighed => [1] } ];
    my @looks  = looks($most);
    while (@$states <= $looks) {
        my $before = $states->[-1];
        my $n      = $looks[$#$states];
        my $spent  = _spent($alpha, $n, $most);
        push @$states, _looked($before, $n, $spent, _next($before, $n, $spent - $before->{spent}));
    }
    return $states->[$looks];
}

# The state after a look with this limit.
sub _looked {
    my ($before, $n, $spent, $limit) = @_;
    my $end  = min($limit, $FAR) * sqrt $n;
    my $step = 2 * $end / $POINTS;
    my @at   = map { -$end + $_ * $step } 0 .. $POINTS;

    # Simpson's rule.
    my @weight = map { $step / 3 * ($_ % $POINTS ? 2 + 2 * ($_ % 2) : 1) } 0 .. $POINTS;
    my @half   = map { $weight[$_] * _density($before, $n, $at[$_]) } 0 .. $POINTS / 2;
    return {
        n       => $n,
        spent   => $spent,
        at      => \@at,
        weighed => [ @half, reverse @half[ 0 .. $#half - 1 ] ]
    };
}

# The density of the sum of n values at x.
sub _density {
    my ($before, $n, $x)           = @_;
    my ($width, $points, $weighed) = (sqrt($n - $before->{n}), @$before{qw(at weighed)});
    my ($factor, $down)            = (1 / ($width * $ROOT_OF_2_PI), -0.5 / $width**2);
    return $factor * sum(map { $weighed->[$_] * exp($down * ($x - $points->[$_])**2) } 0 .. $#$points);
}

# The limit, in standard deviations, that a sum of n values is beyond with the chance `target`, having been
# ended by no look before. Newton's method does it, as the logarithm of the chance is nearly a parabola.
sub _next {
    my ($before, $n, $target) = @_;
    my $limit = normal_quantile(max($target, 1e-300) / 2);
    return $limit if $target < $NEGLIGIBLE || !$before->{n};
    my ($width, $points, $weighed) = (sqrt($n - $before->{n}), @$before{qw(at weighed)});
    for (1 .. 8) {
        my $end = $limit * sqrt $n;
        my $chance =
            2 * sum(map { $weighed->[$_] * normal_above(($end - $points->[$_]) / $width) } 0 .. $#$points);
        my $step = log($chance / $target) * $chance / (2 * sqrt($n) * _density($before, $n, $end));
        $limit += $step;
        last if abs $step < 1e-9;
    }
    return $limit;
}

# Returns the chance that a normal value of deviation 1 is above z: by its series near 0, otherwise by its
# continued fraction.
sub normal_above {
    my ($z) = @_;
    return 1 - normal_above(-$z) if $z < 0;
    my $density = exp(-0.5 * $z * $z) / $ROOT_OF_2_PI;
    if ($z > 2.5) {
        my $below = 0;
        $below = $_ / ($z + $below) for reverse 1 .. 25;
        return $density / ($z + $below);
    }
    my ($term, $sum) = ($z, $z);
    for (my $odd = 3; $term > 1e-17; $odd += 2) { $sum += $term *= $z * $z / $odd }
    return 0.5 - $density * $sum;
}

# Returns the value that a normal one is above with this chance, at most 0.5.
sub normal_quantile {
    my ($above) = @_;
    my ($low, $high) = (0, 40);
    for (1 .. 60) {
        my $middle = ($low + $high) / 2;
        if   (normal_above($middle) > $above) { $low  = $middle }
        else                                  { $high = $middle }
    }
    return $high;
}

1;
