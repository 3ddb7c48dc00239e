# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Groups: which hosts of a fleet may be ranked together, what a group is called, and in what the
# programs of hosts differ.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use Fleetful;
use Touchstone::Pack::Fleet::Groups;
use Touchstone::Pack::Fleet::Store;

my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

# Returns the members of hosts web1, web2, ... with these facts and other members of the record.
sub members {
    my ($hosts, %with) = @_;
    my $dir = File::Temp->newdir;
    Fleetful::campaign("$dir", hosts => $hosts, tests => ['pipe'], copies => [1], %with);
    return Touchstone::Pack::Fleet::Store::read("$dir")->{members};
}

sub groups { return Touchstone::Pack::Fleet::Groups::make_groups(@_) }

sub hosts {
    my ($group) = @_;
    return join ' ', map { $_->{host} } @{ $group->{members} };
}

subtest 'equal hosts are a group, with a title for people' => sub {
    my ($group, @more) = groups(members(5, runs => 2));
    is($group->{title},               '5 hosts, AMD EPYC 7763, 8 CPUs, KVM', 'the title');
    is($group->{number},              1,                                     'its number');
    is(scalar @{ $group->{members} }, 10,                                    'all runs');
    is(scalar @more,                  0,                                     'there is no other');
};

subtest 'some megabytes that firmware keeps do not divide hosts' => sub {
    my @groups =
        groups(members(4, host => sub { return { memory_kb => 32_803_412 + 4096 * substr $_[0], 3 } }));
    is(scalar @groups, 1, 'one group');
};

subtest 'a quota is what makes a host slow, and no group' => sub {
    is(scalar groups(members(3, host => { web2 => { cpu_quota => 0.85 } })), 1, 'one group');
};

my %apart = (
    memory         => [ { memory_kb      => 65_800_000 }, '2 hosts, AMD EPYC 7763, 8 CPUs, KVM, 64 GB' ],
    threads        => [ { threads        => 4 },          '2 hosts, AMD EPYC 7763, 4 CPUs, KVM' ],
    virtualisation => [ { virtualisation => 'none' },     '2 hosts, AMD EPYC 7763, 8 CPUs' ],
    cores          => [ { cores          => 8 },          '2 hosts, AMD EPYC 7763, 8 CPUs, KVM, 8 cores' ],
    sockets        => [ { sockets        => 2 },          '2 hosts, AMD EPYC 7763, 8 CPUs, KVM, 2 sockets' ],
    vendor         => [ { vendor         => 'Other' },    '2 hosts, AMD EPYC 7763, 8 CPUs, KVM, Other' ],
    model          => [
        { cpus => [ { id => 0, model => 'Xeon', bogomips => '1', flags => [] } ] },
        '2 hosts, Xeon, 8 CPUs, KVM'
    ]
);
for my $what (sort keys %apart) {
    subtest "another $what is another group" => sub {
        my ($facts, $title) = @{ $apart{$what} };
        my @groups = groups(members(5, host => { web2 => $facts, web4 => $facts }));
        is(scalar @groups,    2,                'two groups');
        is(hosts($groups[0]), 'web1 web3 web5', 'the larger comes first');
        is($groups[1]{title}, $title,           'the title tells it from the other');
        isnt($groups[0]{title} =~ s/\A\d+ hosts, //r, $title =~ s/\A\d+ hosts, //r, 'and the other from it');
    };
}

subtest 'hosts are never ranked across passports' => sub {
    my @groups = groups(members(5, record => { web2 => { passport => 'deadbeef' x 8 } }));
    is(scalar @groups,    2,                                                    'two groups');
    is($groups[1]{title}, '1 host, AMD EPYC 7763, 8 CPUs, KVM, build deadbeef', 'its title');
    @groups = groups(members(2, record => { web2 => { passport => undef } }));
    is(scalar(grep { $_->{title} =~ /, unknown build\z/ } @groups), 1, 'an old record has none');
};

subtest 'a label is asked for' => sub {
    my $members = members(
        5,
        campaign => sub {
            my ($n) = $_[0] =~ /(\d)/a;
            return { labels => { rack => $n < 4 ? 'b1' : 'b2', %{ $n == 1 ? {} : { ring => 'canary' } } } };
        }
    );
    is(scalar groups($members), 1, 'it divides nothing unless asked');
    my @groups = groups($members, ['rack']);
    is_deeply(
        [ map { [ $_->{title}, hosts($_), $_->{labels} ] } @groups ],
        [
            [ '3 hosts, AMD EPYC 7763, 8 CPUs, KVM, rack b1', 'web1 web2 web3', { rack => 'b1' } ],
            [ '2 hosts, AMD EPYC 7763, 8 CPUs, KVM, rack b2', 'web4 web5',      { rack => 'b2' } ]
        ],
        'two groups'
    );
    @groups = groups($members, ['ring']);
    like($groups[1]{title}, qr/\A1 host, .*, ring none\z/, 'a host without the label is apart');
};

subtest 'a label that no host has is refused' => sub {
    my $members = members(4, campaign => { '*' => { labels => { "ra\nck" => 'b4', type => 'x' } } });
    is(eval { groups($members, ['typ']); 1 }, undef,                   'it is mistyped');
    is($@, "no host has the label 'typ'\ntheir labels: ra?ck, type\n", 'and those that they have are named');
    $members = members(4);
    is(eval { groups($members, ['typ']); 1 }, undef, 'nobody has any');
    like($@, qr/\nthey have no labels\n\z/, 'and it says so');
    is(scalar(my @none = groups([], ['typ'])), 0, 'nobody was measured yet');
};

subtest 'facts that nobody knows are no reason to fail' => sub {
    my ($group) = groups(
        members(
            2,
            host => {
                '*' => {
                    cpus => [],
                    map { $_ => undef } qw(vendor sockets cores threads memory_kb virtualisation)
                }
            }
        )
    );
    is($group->{title}, '2 hosts, unknown CPU, 8 CPUs', 'the title says what is known');
};

subtest 'passports say in what their programs differ' => sub {
    my @of = Touchstone::Pack::Fleet::Groups::passports(
        members(
            4,
            record => { map { $_ => { passport => "of $_" } } qw(web1 web2) },
            build  => {
                web1 => { compiler_version => 'cc 13', linker => 'mold' },
                web2 => { flags_user       => '-g' }
            },
            host => { web1 => { release => '6.12' } }
        )
    );
    is_deeply([ map { $_->{hosts} } @of ], [ [qw(web3 web4)], ['web1'], ['web2'] ], 'the most used first');
    is_deeply(
        [ map { $_->{differs} } @of ],
        [ [], [ 'compiler: cc 13; cc 12', 'linker: mold; GNU ld 2.40' ], ['flags: -O3 -g; -O3'] ],
        'what differs, and not the kernel'
    );
};

is_deeply(\@warnings, [], 'nothing warns');
done_testing();
