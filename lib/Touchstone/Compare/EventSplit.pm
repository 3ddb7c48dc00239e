# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::EventSplit - the difference of the CPU time of an operation as the sum of three: its instructions,
# instructions per cycle, and the clock, from the passes that count events:
#
#   {
#       log   => 0.29,                                    the logarithm of the ratio of the CPU times
#       parts => { instructions => { log => 0.29, interval => [0.28, 0.3] }, per_cycle => ..., clock => ... },
#       named => ['instructions'],                        those that differ from zero, the largest first
#       same  => [qw(per_cycle clock)]                    those that are certain to differ by less than 2 %
#   }
#
# or { why => 'hardware (perf_event_paranoid is 3)' }. More instructions, fewer of them per cycle and a slower
# clock are positive. The CPU time of a pass is the product of the three, so that their logarithms add up to
# its own.
package Touchstone::Compare::EventSplit;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);

use Touchstone::Score::Cost;
use Touchstone::Stats::Significance;
use Touchstone::Stats qw(median);

our @PARTS = qw(instructions per_cycle clock);

# More instructions take longer, and more of the others is faster.
my %SIGN = (instructions => 1, per_cycle => -1, clock => -1);

# The fewest passes of a run that have an error.
my $FEWEST = 2;

# A smaller part is none. Counting may change the difference of the other passes by this share of it, and by
# so much if it is small.
my $SAME = 0.02;
my ($SHARE, $MOST) = (0.25, 0.03);

# { passes => [ { instructions, per_cycle, clock } of each pass ] }, or { why } if there are none.
sub of_passes {
    my (@passes) = @_;
    my (@events, %why);
    for my $counted (map { Touchstone::Score::Cost::events_of($_) } @passes) {
        if (grep { !$counted->{$_} } @PARTS) {
            %why = (%why, %{ $counted->{uncounted} });
        } else {
            push @events, $counted;
        }
    }
    return { passes => \@events } if @events >= $FEWEST;
    return { why    => Touchstone::Score::Cost::reasons(%why) || 'they were not counted' };
}

# Adds its split to that of a test that differs, if one of the runs counted events.
sub add {
    my ($test, @costs) = @_;
    return if !($test->{split} || {})->{parts} || 2 != grep { $_ && $_->{events} } @costs;
    my @why = grep { defined } map { $_->{events}{why} } @costs;
    return if @why == 2;
    $test->{split}{events} = @why ? { why => $why[0] } : split_of(@costs);
    return;
}

# The parts of log(CPU time of the second / that of the first).
sub split_of {
    my (@costs) = @_;
    my %parts =
        map { $_ => _with_interval(Touchstone::Stats::Significance::welch(_logs($_, @costs))) } @PARTS;
    my $whole = sum(map { $_->{log} } values %parts);
    my @cpu   = map {
        median(map { $_->[0] + $_->[1] } @{ $_->{passes} })
    } @costs;
    my $rest = (grep { $_ <= 0 } @cpu) ? 'inf' : abs(log($cpu[1] / $cpu[0]) - $whole);
    return { why => 'counting changes their difference' } if $rest > $MOST && $rest > $SHARE * abs $whole;
    return {
        log   => $whole,
        parts => \%parts,
        named =>
            [ sort { abs $parts{$b}{log} <=> abs $parts{$a}{log} } grep { _differs($parts{$_}) } @PARTS ],
        same => [ grep { !_differs($parts{$_}) && _is_none($parts{$_}) } @PARTS ]
    };
}

sub _logs {
    my ($part, @costs) = @_;
    return map {
        [ map { $SIGN{$part} * log $_->{$part} } @{ $_->{events}{passes} } ]
    } @costs;
}

sub _with_interval {
    my ($part) = @_;
    my $above  = (1 - $Touchstone::Stats::CONFIDENCE) / 2;
    my $half   = $part->{error}
        && $part->{error} * Touchstone::Stats::Significance::t_quantile($above, $part->{freedom});
    return { log => $part->{difference}, interval => [ map { $part->{difference} + $_ * $half } -1, 1 ] };
}

sub _differs {
    my ($part) = @_;
    my ($low, $high) = @{ $part->{interval} };
    return abs $part->{log} >= $SAME && ($low > 0 || $high < 0);
}

sub _is_none {
    my ($part) = @_;
    return !grep { abs > $SAME } @{ $part->{interval} };
}

1;
