# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Rollout::Facts - what changed between two campaigns besides the speeds: of the pairs of hosts
# that Pack::Fleet::Rollout::Pairs makes,
#
#   [ { thing => 'kernel', from => '6.1.0-40-amd64', to => '6.1.0-41-amd64', hosts => 28, controls => 0 }, ... ]
#
# and the figures that hosts had before and have lost:
#
#   [ { key => '1 pipe', hosts => [ 'web3', 'web4' ] } ]
package Touchstone::Pack::Fleet::Rollout::Facts;
use 5.014;
use strict;
use warnings;

# These say how a host was measured, not what it is: campaigns that differ in them do not compare hosts alone.
our %OF_MEASURING = map { $_ => 1 } qw(schedule placement);

sub changed {
    my (@pairs) = @_;
    my %found;
    for my $pair (@pairs) {
        for my $differs (@{ $pair->{differs} }) {
            my ($from, $to) = @{ $differs->{values} };
            my $change = $found{ join "\n", $differs->{thing}, $from, $to } ||=
                { thing => $differs->{thing}, from => $from, to => $to, hosts => 0, controls => 0 };
            $change->{ $pair->{control} ? 'controls' : 'hosts' }++;
        }
    }
    return [
        sort {
                   $b->{hosts} <=> $a->{hosts}
                || $b->{controls} <=> $a->{controls}
                || join("\n", @$a{qw(thing from to)}) cmp join("\n", @$b{qw(thing from to)})
        } values %found
    ];
}

sub lost {
    my (@pairs) = @_;
    my %lost;
    for my $pair (@pairs) {
        push @{ $lost{$_} }, $pair->{host} for grep { !exists $pair->{change}{$_} } keys %{ $pair->{had} };
    }
    return [ map { +{ key => $_, hosts => $lost{$_} } } sort keys %lost ];
}

1;
