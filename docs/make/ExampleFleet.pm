# SPDX-License-Identifier: GPL-2.0-or-later
# ExampleFleet - an invented campaign of 32 hosts, from which the example page of a fleet is made. No machine
# measured it. One host has a CPU quota and is bad after new runs, another was cleared by its own, a third
# sent nothing, and a microcode makes some of them a little slower.
#
#   ExampleFleet::written($directory)
package ExampleFleet;
use 5.014;
use strict;
use warnings;

use Examples;
use Fake;
use Fleetful;
use Touchstone::Record::Json;

my %NOISE = (between => 0.006, within => 0.004, noise => 0.004);

# New runs of suspects and of hosts from the middle, as fleet confirm chooses them.
my %ROLE = (web09 => 'suspect', web21 => 'suspect', web02 => 'control', web14 => 'control');

my @WEB = map { sprintf 'web%02d', $_ } 1 .. 24;
my @DB  = map { "db$_" } 1 .. 8;

my %WEB = (
    vendor => 'Simulated',
    cpus   => [ map { { id => $_, model => 'Simulated CPU A', bogomips => '4800.00', flags => [] } } 0 .. 7 ]
);

my %OTHER = (
    vendor    => 'Simulated',
    memory_kb => 65_806_824,
    microcode => '0x2b000603',
    cpus => [ map { { id => $_, model => 'Simulated CPU B', bogomips => '4800.00', flags => [] } } 0 .. 7 ]
);

sub written {
    my ($directory) = @_;
    my $number      = 0;
    my %place       = map {
        my $at = $number++;
        $_ => {
            slot   => sprintf('hv%02d', 1 + $at / 4),
            labels => { rack => 'b' . (4 + int $at / 12), type => /db/ ? 'large' : 'medium' }
        }
    } @WEB, @DB;
    my @older = grep { /[147]\z/ } @WEB;
    my %facts = (
        (map { $_ => {%OTHER} } @DB),
        (map { $_ => { microcode => '0xa0011a8' } } @older),
        web09 => { cpu_quota => 0.85 }
    );
    my %with = (
        %NOISE,
        scores   => Examples::scores(),
        campaign => sub { $place{ $_[0] } },
        host     => sub { return { %WEB, %{ $facts{ $_[0] } || {} } } },
        id       => 'example'
    );
    my %slow = (web09 => -0.16, map { $_ => { pipe => -0.07, syscall => -0.08, context1 => -0.05 } } @older);
    Fleetful::campaign(
        $directory, %with,
        seed    => 20261101,
        runs    => 2,
        hosts   => [ @WEB, @DB ],
        missing => ['db3'],
        effect  => { %slow, web21 => -0.05 }
    );
    Fleetful::campaign(
        "$directory/confirm-1", %with,
        seed   => 20261102,
        runs   => 3,
        id     => 'example-confirm-1',
        of     => 'example',
        hosts  => [ sort keys %ROLE ],
        effect => \%slow
    );
    my $file     = "$directory/confirm-1/campaign.json";
    my $manifest = Touchstone::Record::Json::decode(Fake::read_file($file));
    $_->{role} = $ROLE{ $_->{name} } for @{ $manifest->{hosts} };
    Fake::write_file($file, Touchstone::Record::Json::encode($manifest));
    return;
}

1;
