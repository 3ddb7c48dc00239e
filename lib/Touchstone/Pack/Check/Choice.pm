# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Check::Choice - what a check measures. A change of the tests, of their part in the index or of the
# references raises the version; docs/check.md has the reasons and the evidence.
package Touchstone::Pack::Check::Choice;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Symbols qw($TIMES);
use Touchstone::Suite;

our $VERSION = 1;

# Seconds for all passes: with the start, the files of the disk tests and the report a check takes 90.
our $SECONDS = 75;

# The index of the check is the geometric mean of the indexes of these tests, each against its own baseline:
# George for those of UnixBench, the Yardstick of 2026 for the others. They run with one copy and with one for
# each CPU. The first two predict UnixBench's index, the others belong to the Modern one (t/bench/check.pl).
our @COMPUTE = qw(dhry2reg execl json matrix);

# All others run with one copy. Probes need fewer passes than scores, and passes of a second are shorter here.
my %ONE   = (most_copies => 1);
my %DISK  = (%ONE, shortest => 0.5);
my %PROBE = (%ONE, rounds   => 3);

# KB that the probe of the cache needs. A control group may have less than the machine, which the probe asks.
my $CACHE_PROBE = 524_288;

my %ROWS = (
    'mem-latency'     => \%ONE,
    'mem-bandwidth'   => { %ONE, shortest => 0.6 },
    'null-call'       => \%ONE,
    'spawn'           => \%ONE,
    'wakeup'          => \%ONE,
    'commit'          => \%DISK,
    'disk-read'       => \%DISK,
    'seq-write'       => \%DISK,
    'seq-read'        => \%DISK,
    'seq-read-cached' => \%DISK,
    'rand-read-32'    => \%DISK,
    'truth-vcpu'      => \%PROBE,
    'truth-cache'     => { %PROBE, memory => $CACHE_PROBE },
    'truth-disk'      => \%PROBE,
    'truth-clock'     => \%PROBE,
);

# Those that use the disk.
my %USES_DISK =
    map { $_ => 1 } qw(commit disk-read seq-write seq-read seq-read-cached rand-read-32 truth-disk);

# The figures in the order of the screen:
#
#   each        1: the rate is shown, too
#   as          how a score is shown: rate as the time of one operation, seconds, bytes (MB/s) or rate
#   reference   a round score that is half a bar where the test has no baseline of the Modern index
#<<< a row is a line
our @FIGURES = (
    { key => 'cpu-1',          label => 'CPU, 1 copy' },
    { key => 'cpu-all',        label => 'CPU, %d copies' },
    { key => 'memory-latency', label => 'Memory latency',      test => 'mem-latency',   as => 'time' },
    { key => 'memory-speed',   label => 'Memory bandwidth',    test => 'mem-bandwidth', as => 'bytes' },
    { key => 'system-call',    label => 'System call',         test => 'null-call',     as => 'time' },
    { key => 'process',        label => 'Process creation',    test => 'spawn',         as => 'time',
        reference => 5000 },
    { key => 'wake-up',        label => 'Wake-up, p99',        test => 'wakeup',        as => 'seconds' },
    { key => 'commit',         label => 'Durable commit',      test => 'commit',        as => 'time',
        each => 1 },
    { key => 'disk-write',     label => 'Sequential write',    test => 'seq-write',   as => 'bytes',
        reference => 500 },
    { key => 'disk-read',      label => 'Sequential read',     test => 'seq-read',    as => 'bytes',
        reference => 1000 },
    { key => 'cached-read',    label => 'Cached read',         test => 'seq-read-cached', as => 'bytes',
        reference => 5000 },
    { key => 'random-1',       label => 'Random read',         test => 'disk-read',     as => 'rate' },
    { key => 'random-32',      label => "Random read $TIMES 32",    test => 'rand-read-32', as => 'rate',
        reference => 100_000 },
);
#>>>

# The figures of tests that are here.
sub figures {
    my %known = _known();
    return grep { !defined $_->{test} || $known{ $_->{test} } } @FIGURES;
}

# What a run measures: tests, and the rows as they are changed for it. Without a disk its tests are left out.
sub wanted {
    my (%how) = @_;
    my %known = _known();
    my @tests = grep { $known{$_} && !($how{no_disk} && $USES_DISK{$_}) } @COMPUTE, sort keys %ROWS;
    return { tests => \@tests, rows => { map { $_ => $ROWS{$_} } grep { $ROWS{$_} } @tests } };
}

sub uses_disk { my ($test) = @_; return $USES_DISK{$test} }

sub _known {
    return map { $_->{name} => 1 } Touchstone::Suite::load()->tests;
}

1;
