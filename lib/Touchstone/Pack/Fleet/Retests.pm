# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Retests - adds to the hosts of judged groups what a campaign of new runs of their suspects
# says. The newest verdict counts, and all are kept:
#
#   confirmed => { campaign => 'k68-confirm-1', verdict => 'bad', runs => 3, ratio, interval,
#                  figures },   the newest
#   confirmations => [ ..., the newest ]
package Touchstone::Pack::Fleet::Retests;
use 5.014;
use strict;
use warnings;

use Touchstone::Pack::Fleet::Campaign;
use Touchstone::Pack::Fleet::RetestResult;
use Touchstone::Pack::Fleet::Ranking;
use Touchstone::Pack::Fleet::Store;
use Touchstone::Pack::Fleet::Stats::Screening;

our $RUNS = 3;

our ($SUSPECT, $CONTROL) = qw(suspect control);

my $MEAN = $Touchstone::Pack::Fleet::Ranking::MEAN;

# Reads the campaign in a directory. Returns { campaign => 'k68-confirm-1', hosts => 5, received => 5 }.
sub add_to {
    my ($groups, $directory, $smallest) = @_;
    my $manifest = Touchstone::Pack::Fleet::Campaign::expect($directory);
    my %role     = map { $_->{name} => $_->{role} } @{ $manifest->{hosts} };
    my $members  = Touchstone::Pack::Fleet::Store::read($directory)->{members};
    my %roles    = map { $_->{host_id} => $role{ $_->{host} } } @$members;
    confirmed($groups, $smallest, $manifest->{campaign}, \%roles, @$members);
    return {
        campaign => $manifest->{campaign},
        hosts    => scalar @{ $manifest->{hosts} },
        received => scalar keys %roles
    };
}

# The same of members that were read, with the roles of hosts by host_id.
sub confirmed {
    my ($groups, $smallest, $campaign, $roles, @members) = @_;
    $smallest //= $Touchstone::Pack::Fleet::Stats::Screening::SMALLEST;
    my (%runs, @parts, @of);
    push @{ $runs{ $_->{host_id} } }, $_ for grep { !defined $_->{void} && %{ $_->{figures} } } @members;
    for my $group (grep { $_->{judged} && !$_->{split} } @$groups) {
        my %hosts = map { $_->{host_id} => $_ } @{ $group->{hosts} };
        my %new   = map { $_ => $runs{$_} } grep { $hosts{$_} } keys %runs;
        for my $part (_of_like_programs(\%new)) {
            my $figures  = Touchstone::Pack::Fleet::Ranking::figures($part);
            my @suspects = grep { ($roles->{$_} // '') eq $SUSPECT } keys %$part;
            push @of, \%hosts;
            push @parts,
                {
                suspects => { map { $_ => [ _slow_in($hosts{$_}) ] } @suspects },
                controls => [ grep { ($roles->{$_} // '') eq $CONTROL } keys %$part ],
                figures  => Touchstone::Pack::Fleet::Ranking::with_mean($part, $figures)
                };
        }
    }
    my @found = Touchstone::Pack::Fleet::RetestResult::of(\@parts, $smallest);
    for my $i (0 .. $#found) {
        my $figures = $parts[$i]{figures}{$MEAN};
        _noted($of[$i]{$_},
            { campaign => $campaign, runs => scalar @{ $figures->{$_} }, %{ $found[$i]{$_} } })
            for keys %{ $found[$i] };
    }
    return;
}

# Runs of other programs are compared apart.
sub _of_like_programs {
    my ($runs) = @_;
    my %parts;
    for my $host (keys %$runs) {
        push @{ $parts{ $_->{passport} // '' }{$host} }, $_ for @{ $runs->{$host} };
    }
    return map { $parts{$_} } sort keys %parts;
}

# The figures for which a host is suspect; where it is no more, its mean.
sub _slow_in {
    my ($host) = @_;
    my @slow =
        grep { $host->{figures}{$_}{far} && $host->{figures}{$_}{ratio} < 1 } sort keys %{ $host->{figures} };
    push @slow, $MEAN if !@slow || $host->{whole}{far} && $host->{ratio} < 1;
    return @slow;
}

sub _noted {
    my ($host, $found) = @_;
    push @{ $host->{confirmations} }, $found;
    $host->{confirmed} = $found;
    $host->{verdict}   = $found->{verdict};
    return;
}

# These hosts are to be measured again, $RUNS times each: the suspects of a judgement
# (Pack::Fleet::Judgement), and for each group two controls from its middle.
#
#   chosen(judgement)    ({ name => 'web3', role => 'suspect', slot => 'hv07', labels => { rack => 'b4' } },
#                         { name => 'web1', role => 'control', ... }, ...)

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
