# SPDX-License-Identifier: GPL-2.0-or-later
# Fleet::Confirm - which hosts are to be measured again, and how often: the suspects of a judgement
# (Fleet::Judgement), and for each group two controls from its middle.
#
#   chosen(judgement)    ({ name => 'web3', role => 'suspect', slot => 'hv07', labels => { rack => 'b4' } },
#                         { name => 'web1', role => 'control', ... }, ...)
package Touchstone::Fleet::Confirm;
use 5.014;
use strict;
use warnings;

our $RUNS = 3;

our ($SUSPECT, $CONTROL) = qw(suspect control);

my $CONTROLS = 2;

# A host that is bad may be mended, and one that is inconclusive may be found out.
my %AGAIN = map { $_ => 1 } qw(suspect bad inconclusive);

sub chosen {
    my ($judgement) = @_;
    my (%taken, @chosen);
    for my $group (@{ $judgement->{groups} }) {
        my @suspects = grep { $AGAIN{ $_->{verdict} } } @{ $group->{hosts} };
        next if !@suspects;
        push @chosen, map { [ $_, $SUSPECT ] } @suspects;
        push @chosen, map { [ $_, $CONTROL ] } _controls($group);
    }
    return map {
        my ($host, $role) = @$_;
        { name => $host->{host}, role => $role, slot => $host->{slot}, labels => $host->{labels} || {} }
    } grep { !$taken{ $_->[0]{host} }++ } sort { $b->[1] cmp $a->[1] } @chosen;
}

# The hosts that are nearest to the median of their group, of those of which nobody says anything.
sub _controls {
    my ($group) = @_;
    my @healthy = grep { defined $_->{ratio} && !length $_->{verdict} && !$_->{fast} } @{ $group->{hosts} };
    my @near = sort { abs(log $a->{ratio}) <=> abs(log $b->{ratio}) || $a->{host} cmp $b->{host} } @healthy;
    return grep { defined } @near[ 0 .. $CONTROLS - 1 ];
}

1;
