#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures how well copies run together, by the median and worst start skew and common window of several
# passes of 1 s, and the cost of Run itself.
#
#   start skew, 2 copies                    0.02 ms (worst 0.09)     target 1 ms        ok
use 5.014;
use strict;
use warnings;

use Cwd qw(getcwd);
use File::Temp ();
use Time::HiRes qw(time);

use Touchstone::Machine::Cpus;
use Touchstone::Run::Launcher;
use Touchstone::Score;
use Touchstone::Stats;

my $base   = getcwd();
my $cpus   = Touchstone::Machine::Cpus::read_all()->{usable_count};
my $failed = 0;

sub show {
    my ($what, $figure, $unit, $target, $ok) = @_;
    $failed++ if !$ok;
    printf "%-44s %10s %-8s target %-12s %s\n", $what, $figure, $unit, $target, $ok ? 'ok' : 'MISSED';
    return;
}

sub pass {
    my ($program, $copies, $seconds) = @_;
    my $dir    = File::Temp->newdir;
    my $result = Touchstone::Run::Launcher::run_pass(
        program => "$base/pgms/$program",
        args    => [$seconds],
        dirs    => [ ("$dir") x $copies ],
        env     => {},
        cpus    => [],
        limit   => 60,
        stopped => sub { 0 }
    );
    die "$program: $result->{failure}\n" if !$result->{copies};
    my @copies = @{ $result->{copies} };
    return Touchstone::Score::Rate::of_pass(
        {
            timebase => 1,
            counts   => [ map { $_->{count} } @copies ],
            times    => [ map { $_->{time} } @copies ],
            starts   => [ map { $_->{start} } @copies ],
            slices   => [ map { $_->{slices} } @copies ]
        }
    );
}

for my $case ([ $cpus, 1 ], [ 16 * $cpus, 20 ]) {
    my ($copies, $target) = @$case;
    next if $copies < 2;
    my @passes = map  { pass('pipe', $copies, 1) } 1 .. 11;
    my @skews  = sort { $a <=> $b } map { $_->{skew} * 1e3 } @passes;
    my @shares = sort { $a <=> $b } map { $_->{share} * 100 } @passes;
    my $skew   = Touchstone::Stats::median(@skews);
    show(
        "start skew, $copies copies (worst $skews[-1])" =~ s/(\d+\.\d\d)\d*/$1/r,
        sprintf('%.2f', $skew),
        'ms', "$target ms", $skew <= $target
    );
    my $share = Touchstone::Stats::median(@shares);
    show(
        sprintf('common window, %d copies (worst %.1f)', $copies, $shares[0]),
        sprintf('%.2f', $share),
        '%', '98 %', $share >= 98
    );
}

# This is CPU time of this process for ten seconds of passes. It includes starting the copies, so it is an
# upper bound.
my @before = times;
pass('pipe', 1, 10);
my @after = times;
my $cost  = ($after[0] + $after[1] - $before[0] - $before[1]) / 10 * 100;
show('CPU of Run while a pass runs', sprintf('%.2f', $cost), '%', '0.2 %', $cost <= 0.2);

for my $case ([ 1, 40 ], [ 256, 60 ]) {
    my ($copies, $target) = @$case;
    my $dir  = File::Temp->newdir;
    my $peak = peak_memory({ UB_RESULTDIR => "$dir/r", UB_TMPDIR => "$dir/t" },
        './Run', '-q', '--quick', '-c', $copies, 'pipe', 'syscall');
    next if !defined $peak;
    show(
        "memory of Run, $copies copies",
        sprintf('%.1f', $peak / 1024),
        'MB', "$target MB", $peak / 1024 <= $target
    );
}

# Returns VmHWM of the command itself, read until it ends; undef without /proc.
sub peak_memory {
    my ($env, @command) = @_;
    return if !-e '/proc/self/status';
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
        @ENV{ keys %$env } = values %$env;
        exec @command or exit 1;
    }
    my $peak = 0;
    while (waitpid($pid, 1) != $pid) {
        if (open my $in, '<', "/proc/$pid/status") {
            my ($kb) = do { local $/; <$in> // '' }
                =~ /^VmHWM:\s+(\d+)/m;
            $peak = $kb if $kb && $kb > $peak;
        }
        select undef, undef, undef, 0.02;
    }
    die "@command: status $?\n" if $?;
    return $peak;
}

my @list =
    map { my $t = time; system('./Run list >/dev/null') == 0 or die "list failed\n"; time - $t } 1 .. 9;
my $list = Touchstone::Stats::median(@list);
show('./Run list', sprintf('%.3f', $list), 's', '0.2 s', $list <= 0.2);

my $tree = File::Temp->newdir;
system("cp -R Makefile src testdir '$tree'") == 0 or die "cannot copy the tree\n";
my @build = map {
    my $t = time;
    system("make -s -C '$tree' clean && make -s -j2 -C '$tree'") == 0 or die "make failed\n";
    time - $t
} 1 .. 3;
my $build = Touchstone::Stats::median(@build);
show('make -j2 from clean', sprintf('%.1f', $build), 's', '20 s', $build <= 20);
exit($failed ? 1 : 0);
