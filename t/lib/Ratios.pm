# SPDX-License-Identifier: GPL-2.0-or-later
# Ratios - the ratio of two things that were measured in turn, and whether it meets a target: "1.003 (0.990
# to 1.010)", and ok, MISSED, or cannot tell. The last means that the median misses the target but its 95 %
# interval does not.
package Ratios;
use 5.014;
use strict;
use warnings;

use Touchstone::Stats;

# Takes two lists of figures, and the limits of their ratio.
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
