#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The playbooks of fleet/ with local connections: each host has a work directory of its own, and fakes
# measure. What real hosts and links do to a campaign is in t/fleet/cases.t.
use 5.014;
use strict;
use warnings;

use File::Basename qw(basename);
use JSON::PP ();
use Test::More;

use lib 't/lib';
use Amount;
use Ansible;
use Fake;
use Touchstone::Machine::Command;
use Touchstone::Pack::Fleet::Campaign;
use Touchstone::Pack::Fleet::Plan;
use Touchstone;

my $BASE = $Fake::BASE;

my $trouble = Ansible::trouble();
plan skip_all => $trouble if defined $trouble;

my $ansible = Ansible->new;
my $bundle  = $ansible->bundle;
my $place   = "$ansible->{dir}/k68";

# The names and labels are whatever an inventory may have; none of them may be taken for a command.
my @HOSTS = ("q'uote\$(touch pwned)\"", 'web1', "\x{fc}ber<script>", 'double"; touch pwned', 'web2');
splice @HOSTS, Amount::of(2, 5);
my $HOSTILE = qq(b4'"; touch pwned \$(touch pwned) `touch pwned` <b>);

# Writes an inventory in JSON, which is YAML.
sub inventory {
    my ($file, %hosts) = @_;
    my %vars = (
        ansible_connection         => 'local',
        ansible_python_interpreter => '{{ ansible_playbook_python }}',
        touchstone_work            => "$ansible->{dir}/homes/{{ inventory_hostname | hash('sha1') }}"
    );
    Fake::write_file($file,
        JSON::PP->new->utf8->canonical->encode({ all => { vars => \%vars, hosts => \%hosts } }));
    return $file;
}

my %with = (
    touchstone_campaign  => 'k68',
    touchstone_directory => $place,
    touchstone_words     => '--quick -c 1 --seed 7 pipe',
    touchstone_bundle    => $bundle,
);
my $inventory = inventory(
    "$ansible->{dir}/hosts.yml",
    map {
        $HOSTS[$_] =>
            { touchstone_slot => "s$_", touchstone_labels => { rack => $_ ? 'b4' : $HOSTILE, row => $_ } }
    } 0 .. $#HOSTS
);

sub play {
    my ($book, %how) = @_;
    return $ansible->play($book, inventory => $inventory, %how, with => { %with, %{ $how{with} || {} } });
}

subtest 'Ansible understands each playbook' => sub {
    my ($first, @others) = map { basename($_) } grep { !/galaxy\.yml\z/ } glob "$BASE/fleet/*.yml";
    my $got = play($first, books => \@others, words => ['--syntax-check']);
    is($got->{status}, 0, "$first @others") or diag($got->{out}, $got->{err});
};

subtest 'a campaign is measured' => sub {
    my $got = play('measure.yml', words => [ '-e', 'a_password=secret' ]);
    is($got->{recap}{localhost}{failed}, 0, 'nothing fails on the controller')
        or diag($got->{out}, $got->{err});
    unlike($got->{out} . $got->{err}, qr/WARNING|DEPRECATION/, 'Ansible warns of nothing');
    my $records = Ansible::records($place);
    is_deeply([ map { scalar @$_ } values %$records ], [ (1) x @HOSTS ], 'there is one record of each host');
    is_deeply([ sort keys %$records ], [ sort @HOSTS ], 'each host is called what the inventory calls it');
    my $labels = $records->{ $HOSTS[0] }[0]{campaign};
    is($labels->{labels}{rack}, $HOSTILE,  'a label arrives as it was written');
    is($labels->{slot},         's0',      'a slot, too');
    is($labels->{carrier},      'ansible', 'and who carried it');
    my @pwned = grep { -e "$_/pwned" } $BASE, $ansible->{dir}, "$ansible->{dir}/home",
        glob "$ansible->{dir}/homes/*";
    is("@pwned", '', 'no name and no label is taken for a command');
    is_deeply([ Fake::entries("$ansible->{dir}/home/.cache") ],
        [], 'nothing is elsewhere than in the work directory');
    my $manifest = Ansible::json("$place/campaign.json");
    my ($arch) = keys %{ $manifest->{programs} };
    like($manifest->{programs}{$arch}{digest}, qr/\A[0-9a-f]{64}\z/, 'the manifest names the programs');
    my ($measure, $confirm) = @{ $manifest->{command} }{qw(measure confirm)};
    like(
        $measure,
        qr{ansible-playbook -i \Q$inventory\E -e '\{.*"touchstone_bundle":"\Q$bundle\E".*\}' -e \.\.\. \S+/measure\.yml\z},
        'and what was typed, without what may be secret'
    ) or diag $measure;
    like($confirm, qr{ /\S+/confirm\.yml\z}, 'and what retests suspects');
};

subtest 'the play of a campaign goes on with its retests' => sub {
    plan skip_all => 'make check-all plays this' if !Amount::is_all();
    my $manifest = Touchstone::Pack::Fleet::Campaign::expect($place);
    my @chosen   = map { { name => $HOSTS[$_], role => $_ ? 'control' : 'suspect', labels => {} } } 0, 1;
    Touchstone::Pack::Fleet::Plan::again($manifest, 1, 7, @chosen);
    is(play('measure.yml', with => { touchstone_confirm => 'false' })->{status}, 0, 'which can be forbidden');
    is_deeply(Ansible::records("$place/confirm-1"), {}, 'then there is none');
    my $got = play('measure.yml');
    is_deeply(
        [ sort keys %{ Ansible::records("$place/confirm-1") } ],
        [ sort @HOSTS[ 0, 1 ] ],
        'both are measured'
    ) or diag($got->{out}, $got->{err});
    like($got->{out}, qr/retest of .* and 1 other host, 3 runs each/, 'it says so');
    is($got->{status}, 0, 'exit status');
};

subtest 'a finished campaign that is played again changes nothing and asks no host' => sub {
    my $got = play('measure.yml');
    is(Ansible::sum($got, 'changed'), 0, 'nothing is changed');
    unlike($got->{out}, qr/Look what is there|Wait for its turn/, 'no host is looked at');
    is_deeply(
        [ map { scalar @$_ } values %{ Ansible::records($place) } ],
        [ (1) x @HOSTS ],
        'no record is new'
    );
};

subtest 'a campaign has all its hosts' => sub {
    plan skip_all => 'make check-all plays this' if !Amount::is_all();
    my $got = play('measure.yml', words => [ '-l', 'web1' ]);
    isnt($got->{status}, 0, 'a part of them is refused');
    like($got->{out} . $got->{err}, qr/leave -l away: a campaign has all hosts/, 'with the reason');
    $got = play('measure.yml', words => ['-C']);
    isnt($got->{status}, 0, 'a trial is refused');
    like($got->{out} . $got->{err}, qr/leave -C away/, 'with the reason');
    $got = play('measure.yml',
        inventory => inventory("$ansible->{dir}/more.yml", map { $_ => {} } @HOSTS, 'web9'));
    isnt($got->{status}, 0, 'other hosts are refused');
    like($got->{out} . $got->{err}, qr/'web9'/, 'they are named');
};

subtest 'words that Ansible would drop, or Run does not know, are refused' => sub {
    my $got = $ansible->play(
        'measure.yml',
        inventory => $inventory,
        words     =>
            [ '-e', "touchstone_directory=$ansible->{dir}/k70", '-e', 'touchstone_words=--quick -c 1 pipe' ]
    );
    isnt($got->{status}, 0, 'quotes are missing');
    like($got->{out} . $got->{err}, qr/'-c 1 pipe'{1,2} belongs to no variable/,
        'it says what would be lost');
    $got = play('measure.yml',
        with => { touchstone_directory => "$ansible->{dir}/k70", touchstone_words => '-c 1 pip' });
    like($got->{out} . $got->{err}, qr/unknown test 'pip'/, 'a word that Run does not know is refused');
    unlike($got->{out} . $got->{err}, qr/non-zero return code/, 'in the words of Run alone');
    unlike($got->{out}, qr/Look what is there|Have programs/, 'before anything is built or a host is asked');
    ok(!-e "$ansible->{dir}/k70", 'nothing is planned');
    $got = play('status.yml', with => { touchstone_run => "$ansible->{dir}/none/Run" });
    like($got->{out} . $got->{err}, qr{cannot start \S+none/Run: }, 'a Run that is not there is named');
};

subtest 'a host that has no room is named, and stops nobody' => sub {
    plan skip_all => 'make check-all plays this' if !Amount::is_all();
    my $file  = inventory("$ansible->{dir}/two.yml", web1 => {}, web2 => { touchstone_work => '/proc/none' });
    my %other = (
        touchstone_campaign  => 'k69',
        touchstone_directory => "$ansible->{dir}/k69",
        touchstone_hosts     => 'all'
    );
    my $got = play('measure.yml', inventory => $file, with => \%other);
    is_deeply([ sort keys %{ Ansible::records("$ansible->{dir}/k69") } ],
        ['web1'], 'the other one is measured');
    my ($failed) = grep { /"failed"/ } split /\n/, Fake::read_file("$ansible->{dir}/k69/events.jsonl");
    like($failed, qr/"host": "web2".*cannot make the directory .?\/proc\/none/, 'the reason is kept');
};

subtest 'one play at a time works on a campaign' => sub {
    my $file = "$ansible->{dir}/.k68.play";
    my ($started) = Fake::read_file("/proc/$$/stat") =~ /\) (.*)/s
        or return plan skip_all => 'this system has no /proc';
    Fake::write_file($file, "$$ " . (split ' ', $started)[19] . "\n");
    my $got = play('measure.yml');
    isnt($got->{status}, 0, 'while another one is at work it is refused');
    like(
        $got->{out} . $got->{err},
        qr/another ansible-playbook, process $$, is at work on the campaign in '\Q$place\E'/,
        'it is named'
    );
    my $caller = "$ansible->{dir}/caller";
    Fake::write_file($caller, "echo \$\$; $^X $BASE/fleet/alone $ansible->{dir}/by-hand by-hand; true\n");
    my ($said)  = split /\n/, `sh -c 'sh $caller; : ansible-playbook'`;
    my ($noted) = split ' ',  Fake::read_file("$ansible->{dir}/.by-hand.play");
    is($noted, $said + 0, 'a shell that has its name somewhere is no play');
    Fake::write_file($file, "$$ 1\n");
    return if !Amount::is_all();
    is(play('measure.yml')->{recap}{localhost}{failed}, 0, 'a number that another process got since is none');
};

subtest 'the collection is that of this version' => sub {
    my ($version) = Fake::read_file("$BASE/fleet/galaxy.yml") =~ /^version: (.*)$/m;
    is($version, $Touchstone::VERSION, 'galaxy.yml has the version of Touchstone');
    return if !Amount::is_all();
    my $galaxy = (Ansible::playbook() =~ s/ansible-playbook\z/ansible-galaxy/r);
    return if !-x $galaxy;
    my $got = $ansible->finish(
        $ansible->start_command(
            [ $galaxy, qw(collection build --output-path), "$ansible->{dir}/galaxy", "$BASE/fleet" ]
        )
    );
    is($got->{status}, 0, 'it is built') or diag($got->{out}, $got->{err});
};

subtest 'Ansible\'s and YAML\'s own judges find nothing' => sub {
    plan skip_all => 'make check-all asks them' if !Amount::is_all();
    my @judges = (
        [ 'ansible-lint', '--offline', '--nocolor', '-c', "$BASE/fleet/.ansible-lint", '-p', "$BASE/fleet" ],
        [ 'yamllint',     '-s', '-c', "$BASE/fleet/.yamllint", "$BASE/fleet" ]
    );
    for my $judge (@judges) {
        my $path = Touchstone::Machine::Command::find($judge->[0])
            // do { pass("$judge->[0] is not here"); next };
        my $got = $ansible->finish($ansible->start_command([ $path, @$judge[ 1 .. $#$judge ] ]));
        is($got->{status}, 0, $judge->[0]) or diag($got->{out}, $got->{err});
    }
};

done_testing;
