#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Real campaigns in the lab, from nothing to the verdict: six hosts with real ssh and the real programs, all
# on this machine, measured one at a time. In the first campaigns one host, another each time, has a CPU
# quota of 0.85; in the others none has. Suspects are measured again by confirm.yml. The last line counts.
#
#   $ perl -Ilib t/fleet/campaigns.pl 10 5         10 with a slow host, 5 without; half an hour
#
#   slow1      web1 is slow: suspect web1 (0.871); bad web1 (0.852): clock or quota    161 s
#   healthy1   nobody is slow: suspect nobody; bad nobody     92 s
#   slow: 10 of 10 named bad, 10 with clock or quota, others named bad in 0; healthy: named bad in 0 of 5
#
# It needs root and Ansible. LAB is the directory of the lab, and stays with the campaigns in it.
use 5.014;
use strict;
use warnings;

use File::Temp;
use FindBin;
use JSON::PP ();

my $SLOW    = $ARGV[0] // 10;
my $HEALTHY = $ARGV[1] // 5;
my $BASE    = "$FindBin::Bin/../..";
my $QUOTA   = 0.85;
my $HOSTS   = 6;
my $RUNS    = $ENV{RUNS}  // 2;
my $WORDS   = $ENV{WORDS} // '--quick -c 1 dhry2reg whetstone-double pipe syscall hanoi';

my $made = File::Temp->newdir('campaigns-XXXXXX', TMPDIR => 1);
my $LAB  = $ENV{LAB} //= "$made/lab";
my $DIR  = $ENV{CAMPAIGNS} // $made;

sub lab {
    my (@words) = @_;
    system("$BASE/t/fleet/lab", @words) == 0 or die "lab @words failed\n";
    return;
}

# Plays one of the playbooks for a campaign, and keeps what it says.
sub play {
    my ($playbook, $campaign) = @_;
    local $ENV{ANSIBLE_CONFIG} = "$BASE/fleet/ansible.cfg";
    my $log = "$DIR/$campaign.log";
    system(   "$BASE/t/fleet/lab do ansible-playbook -i $LAB/hosts '$BASE/fleet/$playbook.yml'"
            . " -e touchstone_campaign=$campaign -e touchstone_directory=$DIR/$campaign"
            . " -e touchstone_runs=$RUNS -e touchstone_slot=this -e '{\"touchstone_words\": \"$WORDS\"}'"
            . " >>'$log' 2>&1");
    return judged($campaign);
}

sub judged {
    my ($campaign) = @_;
    my $json = `perl '$BASE/Run' fleet judge '$DIR/$campaign' --format json 2>>'$DIR/$campaign.log'`;
    return
        eval { JSON::PP::decode_json($json) } // die "no judgement of '$campaign': see $DIR/$campaign.log\n";
}

sub named {
    my (@hosts) = @_;
    return 'nobody' if !@hosts;
    return join ', ', map { sprintf '%s (%.3f)', $_->{host}, ($_->{confirmed} || $_)->{ratio} } @hosts;
}

# One campaign: { bad => [ names ], cause => 1 where the slow one has its signature }.
sub campaign {
    my ($name, $slow) = @_;
    my $began = time;
    my $found = play(measure => $name);
    my $at    = named(@{ $found->{suspects} });
    $found = play(confirm => $name) if @{ $found->{suspects} };
    my @bad    = @{ $found->{bad} };
    my ($host) = grep { defined $slow && $_->{host} eq $slow } @bad;
    my $cause  = $host && ($host->{reason} // '') =~ /clock or quota/ ? 1 : 0;
    printf "%-10s %s is slow: suspect %s; bad %s%s %6d s\n", $name, $slow // 'nobody', $at, named(@bad),
        $cause ? ': clock or quota' : '', time - $began;
    return { bad => [ map { $_->{host} } @bad ], cause => $cause };
}

$| = 1;
lab('up', $HOSTS);
my %count = map { $_ => 0 } qw(found cause others healthy);
my $done  = eval {
    for my $n (1 .. $SLOW) {
        my $web = ($n - 1) % $HOSTS + 1;
        lab('quota', $web, $QUOTA);
        my $of = campaign("slow$n", "web$web");
        lab('quota', $web, 'none');
        $count{found}++  if grep { $_ eq "web$web" } @{ $of->{bad} };
        $count{others}++ if grep { $_ ne "web$web" } @{ $of->{bad} };
        $count{cause} += $of->{cause};
    }
    for my $n (1 .. $HEALTHY) { $count{healthy}++ if @{ campaign("healthy$n")->{bad} } }
    1;
};
my $trouble = $@;
lab('down');
die $trouble if !$done;
print
    "slow: $count{found} of $SLOW named bad, $count{cause} with clock or quota, others named bad in $count{others};",
    " healthy: named bad in $count{healthy} of $HEALTHY\n";
