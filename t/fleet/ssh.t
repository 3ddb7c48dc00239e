#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# fleet/ssh with real ssh and the hosts of t/fleet/lab: hosts and connections that die while a campaign is
# measured, and the same line said again. It takes some minutes and needs root:
#
#   make && prove -l t/fleet/ssh.t
#
# TOUCHSTONE_CASES, a pattern, plays those alone whose names match.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use JSON::PP ();
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);

use lib 't/lib', 'lib';
use Cases;
use Fake;

my $temp = File::Temp->newdir;
chmod 0755, "$temp";
$ENV{LAB} = "$temp/lab";
my $LAB = "$Fake::BASE/t/fleet/lab";
my $why = qx($LAB check);
if ($? != 0) { plan skip_all => 'no lab here: ' . ($why =~ s/\s+\z//r) }

# Nothing here takes this many seconds unless it is broken or the machine is very busy.
my $PATIENCE = 300;

# Some seconds of passes, so that a host can be hit while it measures.
my @WHAT = qw(--quick -c 1 pipe syscall execl spawn);

# Hosts have this machine's own programs.
my $name = 'touchstone-7.1.0-linux-' . (POSIX::uname())[4];
mkdir "$temp/$_" or die "cannot make '$temp/$_': $!\n" for $name, 'bin';
symlink "$Fake::BASE/$_", "$temp/$name/$_" or die "cannot make a link: $!\n" for qw(Run lib pgms testdir);
Fake::write_file("$temp/$name/BUNDLE", 'arch=' . (POSIX::uname())[4] . "\n");
system('tar', '-C', "$temp", '-chzf', "$temp/$name.tar.gz", $name) == 0 or die "no bundle\n";

my ($SSH) = grep { -x } map { "$_/ssh" } split /:/, $ENV{PATH};
Fake::write_file("$temp/bin/ssh", qq{#!/bin/sh\nexec '$SSH' -F '$ENV{LAB}/ssh.cfg' "\$@"\n});
chmod 0755, "$temp/bin/ssh";

system($LAB, 'up', 4) == 0 or BAIL_OUT('the lab does not come up');
my $owner = $$;
END { system($LAB, 'down') if defined $owner && $owner == $$ }

# Starts fleet/ssh for a list of hosts. Returns its process and where it writes.
sub start {
    my ($campaign, @hosts) = @_;
    Fake::write_file("$temp/$campaign.hosts", join '', map { "$_\n" } @hosts);
    my $pid = fork // die "cannot fork: $!\n";
    return $pid if $pid;
    POSIX::setpgid(0, 0);
    open STDIN,  '<',  '/dev/null'           or POSIX::_exit(126);
    open STDOUT, '>>', "$temp/$campaign.out" or POSIX::_exit(126);
    open STDERR, '>&', \*STDOUT              or POSIX::_exit(126);
    my @words = ('do', "$Fake::BASE/fleet/ssh", "$temp/$campaign", "$temp/$campaign.hosts", @WHAT);
    my %env =
        (PATH => "$temp/bin:$ENV{PATH}", BUNDLE => "$temp/$name.tar.gz", UB_RESULTDIR => "$temp/results");
    local @ENV{ keys %env } = values %env;
    { exec $LAB, @words }
    POSIX::_exit(126);
}

sub measure { my ($campaign, @hosts) = @_; waitpid start($campaign, @hosts), 0; return said($campaign) }
sub said { my ($campaign) = @_; return Fake::read_file("$temp/$campaign.out") }

# Returns { HOST => [ records ] } of a campaign.
sub records {
    my ($campaign) = @_;
    my %of;
    for my $file (glob "$temp/$campaign/runs/*/*.json") {
        my $record = JSON::PP->new->utf8->decode(Fake::read_file($file));
        push @{ $of{ $record->{campaign}{host} } }, $record;
    }
    return \%of;
}

sub counted {
    my ($campaign) = @_;
    my $of = records($campaign);
    return join ', ', map { "$_ " . @{ $of->{$_} } } sort keys %$of;
}

sub until_true {
    my ($what, $is_true) = @_;
    my $until = time + $PATIENCE;
    until ($is_true->()) {
        BAIL_OUT("waited in vain until $what") if time > $until;
        sleep 0.2;
    }
    return;
}

# Waits until a host has some passes of a campaign and more to measure.
sub until_measuring {
    my ($campaign, $number) = @_;
    my $look =
        "cd /home/op/.cache/touchstone/programs/* && UB_RESULTDIR=../../results perl Run fleet state $campaign --as web$number";
    until_true(
        "web$number measures",
        sub {
            my $state = eval { JSON::PP::decode_json(qx($LAB in $number sh -c '$look' 2>/dev/null)) } || {};
            return ($state->{state} // '') eq 'running' && ($state->{pass} // 0) >= 2;
        }
    );
    return;
}

shows 'a list of hosts is measured, one of a slot at a time, and one that is off stops no other' => sub {
    system($LAB, 'kill', 4);
    my $text = measure(
        'list',         'web1 slot=hv',
        'web2 slot=hv', 'web3',
        'web4 slot=hv', "-oProxyCommand=touch\$IFS$temp/owned"
    );
    is(counted('list'), 'web1 1, web2 1, web3 1', 'one record each') or diag $text;
    like($text, qr/^fleet\/ssh: web4: does not say its architecture$/m, 'the one that is off is named');
    ok(!-e "$temp/owned", 'and a name of a host is no option of ssh');
    my @pair = sort { $a->{started} <=> $b->{started} } map { @{ records('list')->{$_} } } qw(web1 web2);
    cmp_ok($pair[0]{ended}, '<=', $pair[1]{started}, 'neighbours were not measured at once');
    system($LAB, 'reboot', 4);
    measure(
        'list',         'web1 slot=hv',
        'web2 slot=hv', 'web3',
        'web4 slot=hv', "-oProxyCommand=touch\$IFS$temp/owned"
    );
    is(counted('list'), 'web1 1, web2 1, web3 1, web4 1', 'the same line again measures it, and no other');
};

shows 'a host that loses its power in a pass resumes with the same line' => sub {
    my $pid = start('power', 'web1');
    until_measuring('power', 1);
    system($LAB, 'kill', 1);
    waitpid $pid, 0;
    is(counted('power'), '', 'it has no record') or diag said('power');
    system($LAB, 'reboot', 1);
    measure('power', 'web1');
    is(counted('power'), 'web1 1', 'one record') or diag said('power');
};

shows 'a controller that dies leaves the host measuring, and the same line takes the record' => sub {
    my $pid = start('controller', 'web2');
    until_measuring('controller', 2);
    kill 'KILL', -$pid;
    waitpid $pid, 0;
    measure('controller', 'web2');
    is(counted('controller'), 'web2 1', 'one record') or diag said('controller');
    ok(!records('controller')->{web2}[0]{resumed}, 'which nothing interrupted');
};

done_testing();
