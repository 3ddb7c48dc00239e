# SPDX-License-Identifier: GPL-2.0-or-later
# Fleet::Variance - where the scatter of a figure lies, and how many hosts and runs it therefore takes to
# see a difference. The runs of hosts go in, as Fleet::Ranking has them:
#
#   of({ web1 => [ { y => 0.01, error => 0.002, passes => 12 }, ... ], ... })
#
#   { variance => { hosts => { sd => 0.011, low => 0.008, high => 0.016 }, runs => { ... } or undef,
#                   passes => { ... } or undef, count => { hosts => 30, runs => 60, passes => 12 } },
#     plan => [ { difference => 0.01, runs => 2, unpaired => 14, paired => 6 }, ... ] }
#
# With one run a host, `hosts` holds the scatter between runs, too. `paired` are hosts that are measured
# before and after a change; fewer than a roll-out is judged with are no plan.
package Touchstone::Fleet::Variance;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Stats::BeforeAfter;
use Touchstone::Stats::Components;

# Plans for these differences, with so many runs of each host.
my @DIFFERENCES = (0.01, 0.02, 0.05);
my @RUNS        = (1,    2,    3);

sub of {
    my ($hosts) = @_;
    my $variance = Touchstone::Stats::Components::of([ map { $hosts->{$_} } sort keys %$hosts ]) or return;
    return { variance => $variance, plan => [ map { _plans($variance, $_) } @DIFFERENCES ] };
}

sub _plans {
    my ($variance, $difference) = @_;
    my $needed = Touchstone::Stats::BeforeAfter::needed(1);
    return map {
        my $hosts = Touchstone::Stats::Components::hosts_for($variance, $difference, $_);
        {
            difference => $difference,
            runs       => $_,
            unpaired   => $hosts->{unpaired},
            paired     => defined $hosts->{paired} ? max($needed, $hosts->{paired}) : undef
        }
    } @RUNS;
}

1;
