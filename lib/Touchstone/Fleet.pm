# SPDX-License-Identifier: GPL-2.0-or-later
# Fleet - many machines, one judgement: reads the directory of a campaign, or one of records alone, and says
# of each host how fast it is among its like, and which are slow:
#
#   judge('campaigns/k68', smallest => 0.03, group_by => ['type'], allow_missing => 0.05)
#
#   {
#     campaign  => the manifest, or undef without one,
#     directory => 'campaigns/k68',
#     standing  => who is where (Fleet::Standing), or undef,
#     warnings  => [ { id => 'cloned', text, remedy, hosts => [ 'web1', 'web2' ] } ],
#     damaged   => [ { file, why } ],               what looks like a record and is none
#     passports => [ { passport, hosts, differs } ],       (Fleet::Groups)
#     groups    => [ ... ],                                (Fleet::Judgement)
#     counts    => { bad => 1, suspect => 0, fast => 0, cleared => 1, inconclusive => 0 },
#     smallest  => 0.03,
#     status    => 0 | 1 | 125
#   }
package Touchstone::Fleet;
use 5.014;
use strict;
use warnings;

use Touchstone::Fleet::Campaign;
use Touchstone::Fleet::Groups;
use Touchstone::Fleet::Judgement;
use Touchstone::Fleet::Standing;
use Touchstone::Fleet::Store;
use Touchstone::Stats::Screening;

sub judge {
    my ($directory, %with) = @_;
    die "cannot judge '$directory': no such directory\n" if !-d $directory;
    my $manifest = Touchstone::Fleet::Campaign::read($directory);
    my $read     = Touchstone::Fleet::Store::read($directory);
    my $smallest = $with{smallest} // $Touchstone::Stats::Screening::SMALLEST;
    my $standing =
        $manifest && Touchstone::Fleet::Standing::of($directory, manifest => $manifest, now => $with{now});
    my @groups = map { Touchstone::Fleet::Judgement::of_group($_, smallest => $smallest) }
        Touchstone::Fleet::Groups::of($read->{members}, $with{group_by});
    _confirm($_, $smallest, @groups) for Touchstone::Fleet::Campaign::confirmations($directory);
    return {
        campaign  => $manifest,
        directory => $directory,
        standing  => $standing,
        warnings  => $standing ? $standing->{warnings} : [],
        damaged   => $read->{damaged},
        passports => [ Touchstone::Fleet::Groups::passports($read->{members}) ],
        groups    => \@groups,
        counts    => Touchstone::Fleet::Judgement::counts(\@groups),
        smallest  => $smallest,
        status    => Touchstone::Fleet::Judgement::status(\@groups, $standing, $with{allow_missing})
    };
}

# Adds what new runs say of suspects.
sub _confirm {
    my ($directory, $smallest, @groups) = @_;
    my $manifest = Touchstone::Fleet::Campaign::expect($directory);
    my %role     = map { $_->{name} => $_->{role} } @{ $manifest->{hosts} };
    my $members  = Touchstone::Fleet::Store::read($directory)->{members};
    my %roles    = map { $_->{host_id} => $role{ $_->{host} } } @$members;
    Touchstone::Fleet::Judgement::confirmed(\@groups, $smallest, $manifest->{campaign}, \%roles, @$members);
    return;
}

1;
