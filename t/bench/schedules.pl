#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Shows how long the schedules take and how sure they make the index. First on simulated machines, whose
# passes have a known noise and, on noisy ones, one in ten disturbed: with the rule of today, by which a
# pass is of the test that makes the index surer by most a second, and with the former one, the cheapest
# test first, in the same time. Then on this machine, unless the argument is 0, with how many of the scores
# are within 1.5 %; targets are those of an idle machine. windows.pl compares the scores of schedules.
#
#   perl -Ilib t/bench/schedules.pl [0]
#
#   simulated, 3 % a pass, one in ten disturbed    180 s, index +-0.70 %   former rule 180 s, +-0.81 %   ok
#   ./Run -c 1                                      68 s, 12 of 12 sure    target 75 s                   ok
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Time::HiRes qw(time);

use lib 't/lib';
use Scored;
use Simulated;
use Touchstone::Record;
use Touchstone::Run::Plan;
use Touchstone::Stats qw(mean);
use Touchstone::Suite;

use constant RUNS => 20;

# Both rules end before this when every score is sure, and then neither is better.
my $BUDGET = 180;
my $failed = 0;
my @index  = Touchstone::Suite::load()->expand('index');
$| = 1;

sub show {
    my ($what, $got, $target, $is_met) = @_;
    $failed++ if !$is_met;
    printf "%-46s %-24s %-30s %s\n", $what, $got, $target, $is_met ? 'ok' : 'MISSED';
    return;
}

# Returns (seconds, half of the interval of the index in per cent), each a mean of several runs.
sub simulated {
    my ($noise, $disturbed) = @_;
    my @runs = map {
        my $plan = Touchstone::Run::Plan::make(
            tests    => \@index,
            copies   => [1],
            schedule => 'default',
            seed     => $_,
            usable   => 2
        );
        Simulated::run(noise => $noise, disturbed => $disturbed, seed => $_, plan => $plan)
    } 1 .. RUNS;
    return (mean(map { $_->{seconds} } @runs),
        mean(map { 100 * $Touchstone::Stats::NORMAL * Simulated::index_error($_, @index) } @runs));
}

sub compare_rules {
    my ($called, $noise, $disturbed) = @_;
    my ($seconds, $width) = simulated($noise, $disturbed);
    no warnings 'redefine';
    local *Touchstone::Run::Plan::Adaptive::next_pass = \&Simulated::cheapest;
    my ($former, $wider) = simulated($noise, $disturbed);
    return show(
        "simulated, $called",
        sprintf('%4.0f s, index +-%.2f %%',      $seconds, $width),
        sprintf('former rule %.0f s, +-%.2f %%', $former,  $wider),
        $disturbed ? $former < $BUDGET - 2 || $width < $wider : $seconds <= 75
    );
}

# A machine whose tests differ: those of the page cache and of processes vary more.
sub uneven {
    my ($least) = @_;
    my %times = (fsbuffer => 4, fsdisk => 3, fstime => 3, context1 => 3, spawn => 2, execl => 2, shell1 => 2);
    return { map { $_->{name} => $least * ($times{ $_->{name} } // 1) } @index };
}

sub even {
    my ($noise) = @_;
    return { map { $_->{name} => $noise } @index };
}

compare_rules('0.5 % a pass',                              even(0.005),      0);
compare_rules("$_ %, one in ten disturbed",                even($_ / 100),   0.1) for 2, 4, 8;
compare_rules("$_ to @{[4 * $_]} %, one in ten disturbed", uneven($_ / 100), 0.1) for 1, 2, 4;
exit($failed ? 1 : 0) if defined $ARGV[0] && $ARGV[0] eq '0';

my $dir = File::Temp->newdir;
@ENV{qw(UB_RESULTDIR UB_OUTPUT_FILE_NAME)} = ("$dir", 'run');

sub measured {
    my ($target, @words) = @_;
    my $begun = time;
    system('./Run', '-q', @words) == 0 or die "./Run @words failed\n";
    my $seconds = time - $begun;
    my $data    = Scored::document(Touchstone::Record->load("$dir/.runs/run.json", "$dir/.runs"));
    my @tests   = map { @{ $_->{tests} } } @{ $data->{results} };
    my $sure =
        grep { defined $_->{precision} && $_->{precision} <= $Touchstone::Run::Plan::PRECISION } @tests;
    return show(
        "./Run @words",
        sprintf('%4.0f s, %d of %d sure', $seconds, $sure, scalar @tests),
        "target $target s",
        $seconds <= $target
    );
}

measured(30,  qw(--quick -c 1));
measured(75,  qw(-c 1));
measured(150, ());
exit($failed ? 1 : 0);
