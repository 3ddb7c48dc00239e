#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures how long the schedules take, and whether the default schedule gives the same scores as the classic
# one. The argument is the number of classic passes (6 takes 22 minutes in all), or 0 for the times alone.
#
#   ./Run -c 1                                  141 s      target 180 s   ok
#   dhry2reg             default / classic     1.004      expected 0.97 to 1.03 for the CPU tests of a quiet machine
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Time::HiRes qw(time);

use lib 't/lib';
use Scored;
use Touchstone::Record;
use Touchstone::Score;

my $passes = $ARGV[0] // 6;
my $dir    = File::Temp->newdir;
my $failed = 0;
@ENV{qw(UB_RESULTDIR UB_OUTPUT_FILE_NAME)} = ("$dir", 'run');

sub run {
    my (@words) = @_;
    my $t = time;
    system('./Run', '-q', @words) == 0 or die "./Run @words failed\n";
    my $seconds = time - $t;
    my $data    = Scored::document(Touchstone::Record->load("$dir/runs/run.json", "$dir/runs"));
    return ($seconds, { map { $_->{name} => $_->{score} } @{ $data->{results}[0]{tests} } });
}

sub show {
    my ($what, $seconds, $target) = @_;
    $failed++ if $seconds > $target;
    printf "%-40s %6.0f s      target %d s   %s\n", $what, $seconds, $target,
        $seconds <= $target ? 'ok' : 'MISSED';
    return;
}

my ($quick) = run(qw(--quick -c 1));
show('./Run --quick -c 1', $quick, 30);
$| = 1;
my ($one, $default) = run(qw(-c 1));
show('./Run -c 1', $one, 180);
my ($all) = run();
show('./Run', $all, 360);
exit($failed ? 1 : 0) if !$passes;
my ($long, $classic) = run('-i', $passes, '-c', 1);
printf "%-40s %6.0f s\n", "./Run -i $passes -c 1", $long;
printf "%-20s default / classic %9.3f      expected 0.97 to 1.03 for the CPU tests of a quiet machine\n", $_,
    $default->{$_} / $classic->{$_}
    for sort keys %$default;
exit($failed ? 1 : 0);
