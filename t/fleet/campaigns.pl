#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Real campaigns in the lab, from nothing to the verdict by one command: six hosts with real ssh and the real
# programs, all on this machine, measured one at a time. In some one host, another each time, has a CPU quota;
# these and healthy ones alternate. A line for each, and the counts:
#
#   $ perl -Ilib t/fleet/campaigns.pl 0.85,1,0.95,1 5     five rounds of four campaigns; 1: nobody has a quota
#
#   quota  slow   suspect        bad            exit  seconds
#    0.85  web1   web1 (0.871)   web1 (0.852)      2      161
#    1.00  -      -              -                 0       92
#   0.85: of 5 5 suspect, 5 bad, others suspect in 0, others bad in 0
#
# It needs root and Ansible. LAB is the directory of the lab, CAMPAIGNS that of the campaigns, which stay
# there; RUNS is the number of runs per host, WORDS their arguments.
use 5.014;
use strict;
use warnings;

use File::Temp;
use FindBin;
use JSON::PP ();

my @QUOTAS = split /,/, $ARGV[0] // '0.85,1';
my $EACH   = $ARGV[1]    // 5;
my $RUNS   = $ENV{RUNS}  // 2;
my $WORDS  = $ENV{WORDS} // '--quick -c 1 dhry2reg whetstone-double pipe syscall hanoi';
my $HOSTS  = 6;
my $BASE   = "$FindBin::Bin/../..";

my $made = File::Temp->newdir('campaigns-XXXXXX', TMPDIR => 1);
my $LAB  = $ENV{LAB} //= "$made/lab";
my $DIR  = $ENV{CAMPAIGNS} // $made;

sub lab {
    my (@words) = @_;
    system("$BASE/t/fleet/lab", @words) == 0 or die "lab @words failed\n";
    return;
}

# Measures, retests and judges. Returns the exit status.
sub play {
    my ($campaign) = @_;
    local $ENV{ANSIBLE_CONFIG} = "$BASE/fleet/ansible.cfg";
    system(   "$BASE/t/fleet/lab do ansible-playbook -i $LAB/hosts '$BASE/fleet/measure.yml'"
            . " -e touchstone_campaign=$campaign -e touchstone_directory=$DIR/$campaign"
            . " -e touchstone_runs=$RUNS -e touchstone_slot=this -e '{\"touchstone_words\": \"$WORDS\"}'"
            . " >'$DIR/$campaign.log' 2>&1");
    return $? >> 8;
}

sub decoded {
    my ($text) = @_;
    return eval { JSON::PP::decode_json($text) } // die "no JSON: $@\n";
}

# The suspects of a campaign: those that have new runs, and those that have none.
sub found {
    my ($campaign) = @_;
    my $judged  = decoded(scalar `perl '$BASE/Run' fleet judge '$DIR/$campaign' --format json 2>/dev/null`);
    my %suspect = map { $_->{host} => 1 } @{ $judged->{suspects} };
    for my $file (glob "$DIR/$campaign/confirm-*/campaign.json") {
        open my $in, '<', $file or die "cannot open '$file': $!\n";
        local $/;
        $suspect{ $_->{name} } = 1 for grep { $_->{role} eq 'suspect' } @{ decoded(scalar <$in>)->{hosts} };
    }
    my %first = map { $_->{host} => $_->{ratio} } map { @{ $_->{hosts} } } @{ $judged->{groups} };
    my %new   = map { $_->{host} => $_->{confirmed}{ratio} } @{ $judged->{bad} };
    return [ map { [ $_, $first{$_} ] } sort keys %suspect ], [ map { [ $_, $new{$_} ] } sort keys %new ];
}

sub named {
    my (@hosts) = @_;
    return @hosts ? join ', ', map { sprintf '%s (%.3f)', @$_ } @hosts : '-';
}

$| = 1;
lab('up', $HOSTS);
my (%count, $number);
printf "%5s  %-5s  %-22s  %-22s  %4s  %7s\n", qw(quota slow suspect bad exit seconds);
my $done = eval {
    for (1 .. $EACH) {
        for my $quota (@QUOTAS) {
            my $web  = $number++ % $HOSTS + 1;
            my $slow = $quota < 1 ? "web$web" : '-';
            lab('quota', $web, $quota) if $quota < 1;
            my $began = time;
            $count{$quota}{all}++;
            my $status = play("c$number");
            my ($suspects, $bad) = found("c$number");
            lab('quota', $web, 'none') if $quota < 1;
            printf "%5.2f  %-5s  %-22s  %-22s  %4d  %7d\n", $quota, $slow, named(@$suspects), named(@$bad),
                $status, time - $began;
            my @of = ([ suspect => @$suspects ], [ bad => @$bad ]);

            for my $of (@of) {
                my ($what, @hosts) = @$of;
                $count{$quota}{$what}++          if grep { $_->[0] eq $slow } @hosts;
                $count{$quota}{"others $what"}++ if grep { $_->[0] ne $slow } @hosts;
            }
        }
    }
    1;
};
my $trouble = $@;
lab('down');
die $trouble if !$done;
for my $quota (sort keys %count) {
    my @counts = map { $count{$quota}{$_} // 0 } qw(all suspect bad), 'others suspect', 'others bad';
    printf "%.2f: of %d %d suspect, %d bad, others suspect in %d, others bad in %d\n", $quota, @counts;
}
