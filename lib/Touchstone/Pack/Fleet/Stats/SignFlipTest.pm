# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Stats::SignFlipTest - the chance that the sum of differences lies as far from 0 as it does when
# each of them could as well have the other sign. Without a random number, so that the same records give the
# same verdict, and as fine as many figures need: of 2000 random flips none is rarer than 1 in 2001.
#
#   chance(-0.021, -0.018, -0.024, -0.020, -0.022, -0.019)      0.03125, which is 2 of 64
package Touchstone::Pack::Fleet::Stats::SignFlipTest;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

# Up to so many differences all signs are tried: each half of them has 2 ** 13 sums.
our $MOST_TRIED = 26;

# Sums that are equal on paper differ in their last digits.
my $ALMOST = 1 - 1e-9;

my $TURN = 8 * atan2 1, 1;

# The smallest chance that so many differences can have.
sub least { my ($n) = @_; return min(1, 2 / 2**$n) }

sub chance {
    my @sizes = map { abs } grep { $_ } @_;
    my $seen  = abs(sum(0, @_)) * $ALMOST;
    return 1 if $seen <= 0;
    return @sizes > $MOST_TRIED ? _approximated($seen, @sizes) : _tried($seen, @sizes);
}

# All signs: a sum of the first half with each sum of the second that is large enough.
sub _tried {
    my ($seen, @sizes) = @_;
    my @second = splice @sizes, @sizes / 2;
    my @one    = sort { $a <=> $b } _sums(@sizes);
    my @other  = sort { $b <=> $a } _sums(@second);
    my ($reach, $many) = (0, 0);
    for my $sum (@one) {
        $reach++ while $reach < @other && $sum + $other[$reach] >= $seen;
        $many += $reach;
    }
    return min(1, 2 * $many / (@one * @other));
}

sub _sums {
    my @sums = (0);
    for my $size (@_) {
        @sums = map { ($_ + $size, $_ - $size) } @sums;
    }
    return @sums;
}

# The saddlepoint approximation of a tail (Lugannani and Rice 1980), which stays right to a few per cent of
# itself far out, where a normal distribution does not.
sub _approximated {
    my ($seen, @sizes) = @_;
    my $least = least(scalar @sizes);
    return $least if $seen >= (1 - 1e-6) * sum(@sizes);
    my $t      = _saddle($seen, @sizes);
    my $excess = 2 * ($t * $seen - sum(map { _log_cosh($t * $_) } @sizes));
    my $w      = sqrt max(0, $excess);
    my $u      = $t * sqrt sum(map { ($_ / _cosh($t * $_))**2 } @sizes);
    return 1 if $w < 1e-3;
    my $tail = normal_above($w) + exp(-$w * $w / 2) / sqrt($TURN) * (1 / $u - 1 / $w);
    return min(1, max($least, 2 * $tail));
}

# Where the derivative of the generating function is what was seen.
sub _saddle {
    my ($seen, @sizes) = @_;
    my $slope = sub {
        my ($t) = @_;
        return sum(map { $_ * _tanh($t * $_) } @sizes);
    };
    my ($low, $high) = (0, 1 / max(@sizes));
    while ($slope->($high) < $seen) {
        $high *= 2;
    }
    for (1 .. 60) {
        my $middle = ($low + $high) / 2;
        if   ($slope->($middle) < $seen) { $low  = $middle }
        else                             { $high = $middle }
    }
    return $high;
}

sub _log_cosh { my ($x) = @_; return $x + log((1 + exp(-2 * $x)) / 2) }
sub _cosh     { my ($x) = @_; return $x > 300 ? 1e130 : (exp($x) + exp(-$x)) / 2 }
sub _tanh     { my ($x) = @_; my $e = exp(-2 * $x); return (1 - $e) / (1 + $e) }

# The chance that a normal number is above one of at least 0: a series near the middle, a continued fraction
# far out.
sub normal_above {
    my ($z) = @_;
    my $density = exp(-$z * $z / 2) / sqrt $TURN;
    if ($z < 3) {
        my ($term, $sum) = ($z, $z);
        for my $k (1 .. 60) {
            $term *= $z * $z / (2 * $k + 1);
            $sum  += $term;
        }
        return 0.5 - $density * $sum;
    }
    my $fraction = $z;
    $fraction = $z + $_ / $fraction for reverse 1 .. 60;
    return $density / $fraction;
}

1;
