#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Records what a duet of two identical sides measures on this machine as it is now: t/bench/noise.csv, from
# which t/bench/duets.pl draws. Each round starts two fresh processes, which take turns of 50 ms on CPU 0 in
# blocks of ABBA or BAAB, by lot; a tenth of each turn is left out as warm-up. A line is a round: what was
# done, the logarithms of the ratio of the sides in each block by wall time, and the same by CPU time, in
# millionths.
#
#   perl t/record-noise.pl [rounds of each kind, 480] > t/bench/noise.csv
#
#   memory,1203 -882 410 95,310 -203 95 -12
use 5.014;
use strict;
use warnings;

use Time::HiRes qw(CLOCK_MONOTONIC CLOCK_PROCESS_CPUTIME_ID clock_gettime);

my ($BLOCKS, $TURN, $WARM_UP) = (4, 0.05, 0.005);
my @ORDERS = ([ 0, 1, 1, 0 ], [ 1, 0, 0, 1 ]);

# One operation of each kind takes 20 to 100 us.
my @array = map { $_ * 7919 % 65521 } 1 .. 65536;
my $at    = 0;
my %WORK  = (
    memory => sub { $at = $array[$at] for 1 .. 1000; return },
    pipe   => sub {
        state($read, $write);
        pipe $read, $write or die "cannot make a pipe: $!\n" if !$read;
        for (1 .. 20) {
            syswrite $write, 'x' x 512 or die "cannot write: $!\n";
            sysread $read, my $bytes, 512 or die "cannot read: $!\n";
        }
        return;
    },
);

# A side waits for a line, works for a turn, and answers with the rates by wall and by CPU time.
sub side {
    my ($work) = @_;
    $| = 1;
    while (defined(my $line = <STDIN>)) {
        my $begun = clock_gettime(CLOCK_MONOTONIC);
        $work->() while clock_gettime(CLOCK_MONOTONIC) < $begun + $WARM_UP;
        my @from  = map { clock_gettime($_) } CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID;
        my $count = 0;
        do { $work->(); $count++ } while clock_gettime(CLOCK_MONOTONIC) < $begun + $TURN;
        my @to = map { clock_gettime($_) } CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID;
        print join(' ', map { $count / ($to[$_] - $from[$_]) } 0, 1), "\n";
    }
    return 0;
}

sub started {
    my ($kind) = @_;
    pipe my $asked,  my $ask      or die "cannot make a pipe: $!\n";
    pipe my $answer, my $answered or die "cannot make a pipe: $!\n";
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
        open STDIN,  '<&', $asked    or die "cannot read: $!\n";
        open STDOUT, '>&', $answered or die "cannot write: $!\n";
        close $_ for $ask, $answer;
        exec qw(taskset -c 0), $^X, $0, 'side', $kind or die "cannot start: $!\n";
    }
    select((select($ask), $| = 1)[0]);
    return { pid => $pid, ask => $ask, answer => $answer };
}

sub turn {
    my ($side) = @_;
    print { $side->{ask} } "go\n";
    my $line = readline $side->{answer};
    die "a side ended\n" if !defined $line;
    return map { log } split ' ', $line;
}

sub round {
    my ($kind) = @_;
    my @sides  = map { started($kind) } 0, 1;
    my @found  = ([], []);
    turn($_) for @sides;
    for (1 .. $BLOCKS) {
        my @sum = (0, 0);
        for my $side (@{ $ORDERS[ rand 2 ] }) {
            my @logs = turn($sides[$side]);
            $sum[$_] += ($side ? 0.5 : -0.5) * $logs[$_] for 0, 1;
        }
        push @{ $found[$_] }, sprintf '%.0f', 1e6 * $sum[$_] for 0, 1;
    }
    for my $side (@sides) { close $side->{ask}; waitpid $side->{pid}, 0 }
    return join(',', $kind, map { "@$_" } @found) . "\n";
}

exit side($WORK{ $ARGV[1] }) if ($ARGV[0] // '') eq 'side';
$| = 1;
for (1 .. $ARGV[0] // 480) { print round($_) for sort keys %WORK }
