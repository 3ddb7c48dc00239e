#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Compares tests of the suite modern with other programs that measure the same, and shows how much its passes
# vary. A test and its peer run in turn, so that both meet the same disturbances. The ratio of each turn is
# ours / theirs, of times or of rates; the band is what the definition of the test allows.
#
#   t/bench/modern.pl [PAIRS [NAME ...]]      7 pairs of all
#   t/bench/modern.pl passes [NAME ...]       the passes alone
#
#   null-call      perf bench syscall      ours 105.1 ns   theirs 107.9 ns   0.974 (0.961 to 0.990)   0.97 to 1.03   ok
#   bounce         core-to-core-latency: not installed (cargo install core-to-core-latency)
#   ...
#   passes of a test, CV in per cent: json 0.6, interp 0.4, ...
use 5.014;
use strict;
use warnings;

use File::Temp ();
use lib 't/lib';
use Ratios;
use Touchstone::Machine::Command;
use Touchstone::Machine::Cpus;
use Touchstone::Record::Channel;
use Touchstone::Record::Json;
use Touchstone::Stats;

my $PAIRS = 7;

# What their authors offer as a source alone cannot be had as a package.
my @ABSENT = qw(multichase STREAM osbench will-it-scale schbench lat_mem_rd lat_sig);

my $work  = File::Temp->newdir(DIR => '.', TEMPLATE => '.bench-XXXXXX');
my $cpus  = Touchstone::Machine::Cpus::read_all();
my @apart = do {
    my %seen;
    grep { !$seen{ $cpus->{core}{$_} }++ } @{ $cpus->{usable} };
};
my $pair  = @apart > 1 ? "$apart[0],$apart[-1]" : undef;
my $first = $apart[0];

sub said { my ($command) = @_; return scalar `cd '$work' && $command 2>&1` }

# What a program of ours tells: { score of a second, or its seconds, and its figures }.
sub ours {
    my ($command, $env) = @_;
    my $text = said(($env // '') . ' ' . (`pwd` =~ s/\n//r) . "/pgms/$command");
    my $got  = Touchstone::Record::Channel::parse($text);
    die "$command says: $text\n" if !$got->{count};
    my $score = $got->{timebase} ? $got->{count} / $got->{time} : $got->{count};
    return { score => $score, %{ $got->{figures} || {} } };
}

# The figure behind this pattern of what a peer prints.
sub theirs {
    my ($command, $pattern) = @_;
    my $text = said($command);
    $text =~ s/\e\[[0-9;]*m//g;
    my ($figure) = $text =~ /$pattern/ or die "'$command' says: $text\n";
    return $figure;
}

# What a program starts by fork inherits the slack of its timers: prctl(PR_SET_TIMERSLACK, 1), by its number.
my %PRCTL    = (x86_64 => 157, aarch64 => 167);
my ($number) = grep { defined } map { $PRCTL{$_} } `uname -m` =~ /(\w+)/;
my $NO_SLACK = defined $number ? "perl -e 'syscall $number, 29, 1, 0, 0, 0; exit system \@ARGV'" : '';

# Quantiles of cyclictest's histogram, in seconds.
sub cyclictest {
    my ($share) = @_;
    my $text    = said("$NO_SLACK cyclictest -p 0 --policy=other -i 300 -D 4 -q -m -h 20000");
    my @seen    = map { [ split ' ' ] } $text =~ /^(\d{6} \d+)/mg;
    my $all     = 0;
    $all += $_->[1] for @seen;
    my $so_far = 0;
    for (@seen) { $so_far += $_->[1]; return $_->[0] / 1e6 if $so_far >= $share * $all }
    die "cyclictest says: $text\n";
}

# One computing process for each CPU, while a sub runs.
sub under_load {
    my ($sub) = @_;
    my @pids;
    for (@{ $cpus->{usable} }) {
        my $pid = fork // die "cannot fork: $!\n";
        if (!$pid) { 1 while 1 }
        push @pids, $pid;
    }
    my @result = eval { $sub->() };
    my $error  = $@;
    kill 'KILL', @pids;
    waitpid $_, 0 for @pids;
    die $error if $error;
    return $result[0];
}

sub fio {
    my (@options) = @_;
    return theirs(
        "fio --name=t --filename=fio.dat --bs=4k --minimal --runtime=2 --time_based @options | tr ';' '\\n' | "
            . (grep(/randread/, @options) ? 'sed -n 8p' : 'sed -n 49p'),
        qr/^(\d+)/m
    );
}

# Each test: name, peer and the command that must be there, where it comes from, unit, ours, theirs, band.
my @PEERS = (
    [
        'null-call', 'perf bench syscall',
        perf => 'linux-perf',
        'ns',
        sub { 1e9 / ours("syscall 1 getpid", "TS_CPUS=$first")->{score} },
        sub { 1000 * theirs("taskset -c $first perf bench syscall basic -l 3000000", qr{([\d.]+) usecs/op}) },
        0.97, 1.03
    ],

    # perf does not bind its two threads, and they find one CPU; so both are given one.
    [
        'handoff-same',
        'perf bench sched pipe -T',
        perf => 'linux-perf',
        'us',
        sub { 1e6 / ours('handoff 2 2', "TS_CPUS=$first")->{score} },
        sub { theirs("taskset -c $first perf bench sched pipe -T -l 100000", qr{([\d.]+) usecs/op}) },
        1 / 1.4, 1
    ],

    # Their side takes the line once a turn, by compare and exchange. Ours reads it and then writes it, as
    # locks and queues do, which may take it twice.
    [
        'bounce', 'core-to-core-latency',
        'core-to-core-latency' => 'cargo install core-to-core-latency',
        'ns',
        sub { 1e9 * ours('bounce 1 1', "TS_CPUS=$pair")->{one_way} },
        sub { theirs("core-to-core-latency 3000 100 -b 1 -c $pair", qr/Mean latency: *([\d.]+) *ns/) },
        0.9, 3
    ],
    [
        'mem-bandwidth', 'likwid-bench -t stream',
        'likwid-bench' => 'likwid',
        'MBps',
        sub { ours('stream 2 65536', "TS_CPUS=$first")->{score} },
        sub { theirs('likwid-bench -t stream -w S0:192MB:1 -s 2', qr{MByte/s:\s*([\d.]+)}) },
        0.93, 1.07
    ],
    [
        'matrix',
        'OpenBLAS sgemm 192',
        python3 => 'pip install numpy',
        'MFLOPS',
        sub { ours('matrix 1', "TS_CPUS=$first")->{score} },
        sub {
            theirs("env -u OPENBLAS_CORETYPE OPENBLAS_NUM_THREADS=1 taskset -c $first python3 sgemm.py",
                qr/^([\d.]+)$/m);
        },
        0.6,
        1.3
    ],

    # Both have no slack of timers. The higher quantiles cannot be compared: cyclictest leaves out the times
    # that pass while it is late, and a stop of a guest for 5 ms is one late wake-up in the place of sixteen.
    [
        'wakeup p50',
        'cyclictest',
        cyclictest => 'rt-tests',
        'us',
        sub { 1e6 * ours('wakeup 4 0')->{p50} },
        sub { 1e6 * cyclictest(0.5) },
        0.85,
        1.15
    ],
    [
        'loaded p50',
        'cyclictest under load',
        cyclictest => 'rt-tests',
        'us',
        sub { 1e6 * ours('wakeup 4 -1')->{p50} },
        sub {
            under_load(sub { 1e6 * cyclictest(0.5) });
        },
        0.5,
        2
    ],
    [
        'commit',
        'fio fdatasync',
        fio => 'fio',
        'a second',
        sub { ours('commit 2')->{score} },
        sub { fio('--ioengine=psync --rw=write --fdatasync=1 --size=16m --overwrite=1') },
        0.9,
        1.1
    ],
    [
        'disk-read',
        'fio randread',
        fio => 'fio',
        'a second',
        sub { ours('diskread 2 .')->{score} },
        sub { fio('--ioengine=psync --rw=randread --direct=1 --size=256m') },
        0.9,
        1.1
    ],
);

my $SGEMM = <<'PYTHON';
import time
import numpy
a, b = (numpy.random.rand(192, 192).astype(numpy.float32) for _ in range(2))
c = numpy.empty_like(a)
end, count, begin = time.time() + 1, 0, time.time()
while time.time() < end:
    for _ in range(50):
        numpy.matmul(a, b, out=c)
    count += 50
print(count * 2 * 192 ** 3 / (time.time() - begin) / 1e6)
PYTHON

sub compare {
    my ($pairs, $name, $peer, $command, $package, $unit, $ours, $theirs, $least, $most) = @_;
    return printf "%-14s %s: not installed (%s)\n", $name, $peer, $package
        if !Touchstone::Machine::Command::find($command);
    return printf "%-14s %s: needs two cores\n", $name, $peer if !defined $pair && $name eq 'bounce';
    my (@mine, @others);
    my $done = eval {
        for (1 .. $pairs) { push @mine, $ours->(); push @others, $theirs->() }
        1;
    };
    return printf "%-14s %s: %s", $name, $peer, $@ =~ s/\n.*//sr . "\n" if !$done;
    my ($ratio, $verdict) = Ratios::told(\@mine, \@others, $least, $most);
    return printf "%-14s %-24s ours %.5g %s   theirs %.5g %s   %s   %.2f to %.2f   %s\n", $name, $peer,
        Touchstone::Stats::median(@mine), $unit, Touchstone::Stats::median(@others), $unit, $ratio, $least,
        $most, $verdict;
}

# The CV of the passes of each test of a run, and how long it took.
sub passes {
    my (@names) = @_;
    local $ENV{UB_RESULTDIR} = "$work/results";
    my $begin = time;
    system('./Run', '-q', '-c', 1, @names) == 0 or die "the run failed\n";
    my ($file) = glob "$work/results/*.json"    or die "the run has no record\n";
    open my $in, '<', $file or die "cannot open '$file': $!\n";
    my $record = Touchstone::Record::Json::decode(do { local $/; <$in> });
    my ($block) = @{ $record->{results} };
    say "passes of a test, CV in per cent: " . join ', ',
        map { sprintf '%s %.1f (%d)', $_->{name}, $_->{cv}, $_->{passes} } @{ $block->{tests} };
    say 'index: ' . join ', ',
        map { sprintf '%s %.0f%s', $_->{title}, $_->{score}, $_->{partial} ? ' (partial)' : '' }
        @{ $block->{indexes} };
    say 'seconds: ' . (time - $begin);
    return;
}

$| = 1;
my ($what, @names) = @ARGV;
if (($what // '') eq 'passes') { passes(@names ? @names : 'modern'); exit 0 }
open my $python, '>', "$work/sgemm.py" or die "cannot write: $!\n";
print {$python} $SGEMM;
close $python or die "cannot write: $!\n";
for my $peer (@PEERS) {
    compare($what // $PAIRS, @$peer) if !@names || grep { $peer->[0] =~ /^\Q$_\E/ } @names;
}
say 'cannot be had as packages: ' . join ', ', @ABSENT if !@names;
passes('modern') if !@names;
