# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::Against - a run beside the stored run that is its reference (--baseline): what Compare finds, as
# plain data for the record:
#
#   {
#       name        => 'good-2026-11-21-01',
#       notes       => [...],
#       differences => [ { thing => 'kernel', values => [its, ours] } ],
#       void        => [ { called, text, remedy } of the run that is not valid ],
#       drift       => { machines, unknown } of Compare::Drift,
#       status      => as of --compare,
#       fail_on     => 0.05 where --fail-on said so,
#       tests       => [
#           {
#               name   => 'zstd-1 decompress',
#               copies => 1,
#               unit   => 'MBps',
#               scores => [its, ours],
#               intervals, ratio, interval, detectable, verdict, why, drift
#           }
#       ],
#       indexes => [ the same ]
#   }
package Touchstone::Compare::Against;
use 5.014;
use strict;
use warnings;

use Touchstone::Compare::Drift;
use Touchstone::Compare::Run;
use Touchstone::Compare::SelfCompare;
use Touchstone::Compare;

my @SHOWN = qw(name copies unit scores ratio interval detectable verdict why of_common drift role called);

# The comparison of a run with its reference, which is as Compare::Run loads it; `places`: where
# --self-compare has left what this machine can tell, and where its other runs are. What the reference has
# beyond the tests that the run was to measure does not count.
sub of {
    my ($facts, $results, $reference, $places, %with) = @_;
    my @runs = ($reference, Touchstone::Compare::Run::of($facts, $results));
    my %asked;
    for my $block (@{ $facts->{blocks} }) {
        $asked{"$block->{copies} $_->{name}"} = 1 for @{ $facts->{tests} };
    }
    my $smallest = Touchstone::Compare::SelfCompare::find($places, @runs);
    my $found    = Touchstone::Compare::compare(
        runs     => \@runs,
        fail_on  => $with{fail_on},
        asked    => \%asked,
        called   => [ $reference->{name}, 'this run' ],
        smallest => $smallest,
        drift    => Touchstone::Compare::Drift::find($places, @runs)
    );
    my ($pair) = @{ $found->{pairs} };
    return {
        name   => $reference->{name},
        status => $found->{status},
        defined $with{fail_on} ? (fail_on => $with{fail_on}) : (),
        void        => [ _void($reference, @{ $found->{void} }) ],
        notes       => $pair->{notes},
        differences => $found->{differences},
        drift       => $found->{drift},
        map {
            $_ => [ map { _shown($_) } @{ $pair->{$_} } ]
        } qw(tests indexes),
    };
}

# Where the reference is not valid, the run is not valid for that reason too: it is said once.
sub _void {
    my ($reference, @void) = @_;
    @void = grep { $_->{called} eq $reference->{name} } @void if $reference->{void};
    return map { { called => $_->{called}, text => $_->{brief}, remedy => $_->{remedy} } } @void;
}

sub _shown {
    my ($row) = @_;
    return {
        (map { $_ => $row->{$_} } grep { defined $row->{$_} } @SHOWN),
        intervals => [ map { $_ // [] } @{ $row->{intervals} } ]
    };
}

1;
