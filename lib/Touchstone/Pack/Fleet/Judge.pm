# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Judge - many machines, one judgement: reads the directory of a campaign, or one of records
# alone, and says of each host how fast it is among its like, and which are slow:
#
#   judge('campaigns/k68', smallest => 0.03, group_by => ['type'], allow_missing => 0.05)
#
#   {
#     campaign  => the manifest, or undef without one,
#     directory => 'campaigns/k68',
#     standing  => who is where (Pack::Fleet::Status), or undef,
#     warnings  => [ { id => 'cloned', text, remedy, hosts => [ 'web1', 'web2' ] } ],
#     damaged   => [ { file, why } ],               what looks like a record and is none
#     ended     => 1795240525,              when the last run ended, or undef
#     passports => [ { passport, hosts => 30, names => [ 'web1', ... ], differs => [ ... ] } ],  (Pack::Fleet::Groups)
#     confirmations => [ { campaign => 'k68-confirm-1', hosts => 5, received => 5 } ],
#     groups    => [ ... ],                 (Pack::Fleet::Judgement, with what explains it, Pack::Fleet::FactAssociation)
#     counts    => { bad => 1, suspect => 0, fast => 0, cleared => 1, inconclusive => 0 },
#     smallest  => 0.03,
#     status    => 0 | 1 | 125
#   }
package Touchstone::Pack::Fleet::Judge;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Base::Random;
use Touchstone::Base::Text qw(plain);
use Touchstone::Pack::Fleet::Campaign;
use Touchstone::Pack::Fleet::FactAssociation;
use Touchstone::Pack::Fleet::Groups;
use Touchstone::Pack::Fleet::Judgement;
use Touchstone::Pack::Fleet::Retests;
use Touchstone::Pack::Fleet::Status;
use Touchstone::Pack::Fleet::Store;
use Touchstone::Pack::Fleet::Stats::Screening;

# Hosts are judged by runs that are not valid, and this warning says so.
my $DOUBT = 'doubt';

# Hosts build nothing, so what is skipped for want of a library is missing where their programs were built.
my $UNBUILT = qr/ skipped: it was built without /;
my $BUILD   = 'install it where their programs are built, and measure again in a new campaign';

# More disturbed passes than this part are worth a warning.
my $DISTURBED = 0.1;

# The same records give the same judgement.
my $SEED = 20261123;

sub judge {
    my ($directory, %with) = @_;
    die "cannot judge '$directory': no such directory\n" if !-d $directory;
    my $manifest = Touchstone::Pack::Fleet::Campaign::read($directory);
    my $read     = Touchstone::Pack::Fleet::Store::read($directory);
    my $smallest = $with{smallest} // $Touchstone::Pack::Fleet::Stats::Screening::SMALLEST;
    my $standing = $manifest && Touchstone::Pack::Fleet::Status::of(
        $directory,
        manifest => $manifest,
        members  => $read->{members},
        now      => $with{now}
    );
    my @groups = map { Touchstone::Pack::Fleet::Judgement::of_group($_, smallest => $smallest) }
        Touchstone::Pack::Fleet::Groups::of($read->{members}, $with{group_by});
    my @confirmations =
        map { Touchstone::Pack::Fleet::Retests::add_to(\@groups, $_, $smallest) }
        Touchstone::Pack::Fleet::Campaign::confirmations($directory);
    my $random = Touchstone::Base::Random::generator($SEED);
    Touchstone::Pack::Fleet::FactAssociation::add_to($_, $random) for @groups;
    return {
        campaign  => $manifest,
        directory => $directory,
        standing  => $standing,
        warnings  => [ @{ $standing ? $standing->{warnings} : [] }, _of_runs(@groups) ],
        ended     => max(map { $_->{ended} || () } @{ $read->{members} }),
        damaged   => $read->{damaged},
        passports => [
            map {
                { %$_, hosts => scalar @{ $_->{hosts} }, names => $_->{hosts} }
            } Touchstone::Pack::Fleet::Groups::passports($read->{members})
        ],
        confirmations => \@confirmations,
        groups        => \@groups,
        counts        => Touchstone::Pack::Fleet::Judgement::counts(\@groups),
        smallest      => $smallest,
        status        => Touchstone::Pack::Fleet::Judgement::status(\@groups, $standing, $with{allow_missing})
    };
}

# Warnings of runs: those that do not count, the tests that some of them lack, and those that were disturbed.
sub _of_runs {
    my (@groups) = @_;
    my @hosts = map { @{ $_->{hosts} } } @groups;
    return (
        _by_text(
            'not valid',
            sub { 'measure them again, in a new campaign' },
            map {
                my $host = $_;
                map { [ "a run is not valid: $_->{why}", $host ] } @{ $host->{void_runs} }
            } @hosts
        ),
        _by_text(
            'lost',
            sub { $_[0] =~ $UNBUILT ? $BUILD : undef },
            map {
                my $host = $_;
                map { [ $_, $host ] } @{ $host->{lost} }
            } @hosts
        ),
        _doubtful(@hosts),
        _disturbed(@hosts)
    );
}

# A warning for each text, with the hosts of which it is said.
sub _by_text {
    my ($id, $remedy, @said) = @_;
    my (%hosts, %seen);
    for my $said (@said) {
        my ($text, $host) = @$said;
        push @{ $hosts{$text} }, $host->{host} if !$seen{$text}{ $host->{host_id} }++;
    }
    return map { { id => $id, text => $_, remedy => $remedy->($_), hosts => $hosts{$_} } } sort keys %hosts;
}

# Hosts are judged by runs that are not valid because of what the host is like.
sub _doubtful {
    my @of = grep { @{ $_->{doubts} } } @_ or return;
    return {
        id     => $DOUBT,
        text   => "a run is not valid, such as that of '" . plain($of[0]{host}) . "': $of[0]{doubts}[0]{why}",
        remedy => 'they are judged as they were; on a machine that does nothing else, measure them again',
        hosts  => [ map { $_->{host} } @of ]
    };
}

# A warning of hosts whose passes something disturbed.
sub _disturbed {
    my (@of) = @_;
    my @hosts = map { $_->{host} } grep { $_->{disturbed} > $DISTURBED } @of;
    return !@hosts
        ? ()
        : {
        id     => 'disturbed',
        text   => sprintf('more than %.0f %% of the passes were disturbed', 100 * $DISTURBED),
        remedy => 'measure them again on an idle machine, in a new campaign',
        hosts  => \@hosts
        };
}

1;
