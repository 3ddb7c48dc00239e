#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# That one count is what the documents say: the system calls behind it, counted by strace. Set-up and end cost some more.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

`strace -V 2>/dev/null` && system("strace -o /dev/null -e trace=none true 2>/dev/null") == 0 or plan skip_all => 'strace cannot be used here';

my $dir = File::Temp->newdir;

# (COUNT, { system call => how often }, the trace) of a run of a program and its children.
sub traced {
    my (@command) = @_;
    system("strace -f -o '$dir/trace' pgms/@command >/dev/null 2>'$dir/err'");
    open my $in, '<', "$dir/err" or die "cannot read: $!\n";
    my ($count) = do { local $/; <$in> // '' } =~ /^COUNT\|(\d+)/m;
    close $in;
    open $in, '<', "$dir/trace" or die "cannot read: $!\n";
    my (%calls, @lines);
    while (my $line = <$in>) {
        my ($call) = $line =~ /^\d+\s+(\w+)\(/ or next;
        $calls{$call}++;
        push @lines, $line;
    }
    return ($count, \%calls, \@lines);
}

# Each call once a count, give or take what happens before and after.
sub once_each {
    my ($what, $count, $calls, @names) = @_;
    cmp_ok($count, '>', 20, "$what has a count worth comparing") or return;
    for my $name (@names) {
        my $n = 0;
        $n += $calls->{$_} // 0 for split /\|/, $name;
        cmp_ok(abs($n - $count), '<=', 12 + $count * 0.02, "$what: $name once a count ($n in $count)");
    }
    return;
}

subtest 'pipe moves 512 bytes in and out' => sub {
    my ($count, $calls, $lines) = traced('pipe', 0.3);
    once_each('pipe', $count, $calls, 'write', 'read');
    my $whole = grep { /^\d+\s+(?:write|read)\(\d+, .*, 512\)\s+= 512$/ } @$lines;
    cmp_ok($whole, '>=', 2 * $count, 'each time 512 bytes');
};

subtest 'syscall makes its calls' => sub {
    my @mix = traced('syscall', 0.3);
    once_each('syscall', @mix[ 0, 1 ], qw(dup close getpid getuid umask));
    my @close = traced('syscall', 0.3, 'close');
    once_each('syscall close', @close[ 0, 1 ], qw(dup close));
    my @getpid = traced('syscall', 0.3, 'getpid');
    once_each('syscall getpid', @getpid[ 0, 1 ], 'getpid');
};

subtest 'context1 is a round trip' => sub {
    my ($count, $calls) = traced('context1', 0.3);
    cmp_ok(abs(($calls->{write} // 0) - 2 * $count), '<=', 12 + $count * 0.04, 'a write in each process');
    cmp_ok(abs(($calls->{read} // 0) - 2 * $count), '<=', 12 + $count * 0.04, 'a read in each process');
};

subtest 'processes are made, replaced and waited for' => sub {
    my @spawn = traced('spawn', 0.3);
    once_each('spawn', @spawn[ 0, 1 ], 'clone|clone3|fork|vfork', 'wait4|waitpid|waitid');
    my @execl = traced('execl', 0.5);
    once_each('execl', @execl[ 0, 1 ], 'execve');
    my @sysexec = traced('syscall', 0.5, 'exec');
    once_each('syscall exec', @sysexec[ 0, 1 ], 'clone|clone3|fork|vfork', 'execve', 'wait4|waitpid|waitid');
};

subtest 'fstime moves whole buffers of the size it was told' => sub {
    for my $size (256, 1024, 4096) {
        my (undef, undef, $lines) = traced('fstime', '-c', '-t', 0.2, '-b', $size, '-m', 100, '-d', "$dir");
        my %n;
        /^\d+\s+(write|read)\(\d+, .*, $size\)\s+= $size$/ && $n{$1}++ for @$lines;
        my $fill = 100 * 1024 / $size;
        cmp_ok($n{read} // 0, '>', 3 * $fill, "read of $size bytes");
        cmp_ok($n{write} // 0, '>', $fill, "write of $size bytes");
    }
};

done_testing;
