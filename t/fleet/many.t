#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The playbooks with many hosts: each is this machine with a work directory of its own, and fakes measure. It
# takes a second or two a host:
#
#   HOSTS=200 prove -lv t/fleet/many.t
use 5.014;
use strict;
use warnings;

use JSON::PP ();
use Test::More;

use lib 't/lib';
use Ansible;
use Fake;

my $HOSTS   = $ENV{HOSTS} // 50;
my $trouble = Ansible::trouble();
plan skip_all => $trouble if defined $trouble;

my $ansible = Ansible->new;
my $dir     = $ansible->{dir};
my $bundle  = $ansible->bundle;
my $file    = "$dir/hosts.yml";

# Every tenth host has no room at first, and four hosts share a slot.
my @hosts  = map  { "web$_" } 1 .. $HOSTS;
my @full   = grep { /0\z/ } @hosts;
my $number = 0;
my %vars   = map { $_ => { touchstone_slot => 'hv' . int($number++ / 4) } } @hosts;

sub inventory {
    my (@without_room) = @_;
    my %hosts = map { $_ => { %{ $vars{$_} } } } @hosts;
    $hosts{$_}{touchstone_work} = '/proc/none' for @without_room;
    my %all = (
        ansible_connection         => 'local',
        ansible_python_interpreter => '{{ ansible_playbook_python }}',
        touchstone_work            => "$dir/homes/{{ inventory_hostname }}"
    );
    Fake::write_file($file, JSON::PP->new->canonical->encode({ all => { vars => \%all, hosts => \%hosts } }));
    return;
}

sub play {
    my $began = time;
    my $got   = $ansible->play(
        'measure.yml',
        inventory => $file,
        with      => {
            touchstone_campaign  => 'many',
            touchstone_directory => "$dir/many",
            touchstone_words     => '--quick -c 1 pipe',
            touchstone_bundle    => $bundle
        }
    );
    note sprintf '%d hosts: %d s', $HOSTS, time - $began;
    return $got;
}

sub standing { return `$^X $Fake::BASE/Run fleet judge $dir/many --format status` }

inventory(@full);
isnt(play()->{status}, 0, 'hosts without room fail');
my $records = Ansible::records("$dir/many");
is_deeply([ sort keys %$records ], [ sort grep { !/0\z/ } @hosts ], 'all others are received');
like(
    standing(),
    qr/: $HOSTS hosts expected: ${\(@hosts - @full)} received, ${\ scalar @full} failed$/m,
    'the sum is right'
);

my %times;
push @{ $times{ $_->{campaign}{slot} } }, [ @$_{qw(started ended)} ] for map { @$_ } values %$records;
my $overlaps = 0;
for my $slot (keys %times) {
    my @in = sort { $a->[0] <=> $b->[0] } @{ $times{$slot} };
    $overlaps += grep { $in[$_][0] < $in[ $_ - 1 ][1] } 1 .. $#in;
}
is($overlaps, 0, 'no two hosts of a slot measure at the same time');

inventory();
my $got = play();
is($got->{status}, 0, 'the same command measures those that failed') or diag($got->{out});
$records = Ansible::records("$dir/many");
is(scalar(grep { @{ $records->{$_} } == 1 } @hosts), $HOSTS, 'each host has one record');
$got = play();
is(Ansible::sum($got, 'changed'), 0, 'played again it changes nothing');

done_testing();
