# SPDX-License-Identifier: GPL-2.0-or-later
# Ratios - of two things that were measured in turn, and what they say about a target: "1.003 (0.990 to
# 1.010)", and ok, MISSED, or cannot tell where the median is outside of the target and its 95 % interval is
# not.
package Ratios;
use 5.014;
use strict;
use warnings;

use Touchstone::Stats;

# Two lists of figures, and the limits of their ratio.
sub told {
    my ($ours, $others, $least, $most) = @_;
    my @ratios = map { $ours->[$_] / $others->[$_] } 0 .. $#$ours;
    my $middle = Touchstone::Stats::median(@ratios);
    my ($low, $high) = Touchstone::Stats::interval(\@ratios);
    my $met = $middle >= $least && $middle <= $most;
    return (sprintf('%.3f (%.3f to %.3f)', $middle, $low, $high),
        $met ? 'ok' : $low > $most || $high < $least ? 'MISSED' : 'cannot tell');
}

1;
