#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# One count is the work that the documents say: strace counts the system calls behind it. Set-up and end need
# some more.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use Tools;

plan skip_all => $_ for Tools::lacking('strace');
system("strace -o /dev/null -e trace=none true 2>/dev/null") == 0
    or plan skip_all => 'strace cannot be used here';

my $dir = File::Temp->newdir;

# On one CPU strace and the traced program take turns. On two CPUs each call costs eight times as much,
# because one has to wake up the other.
my ($cpu)   = `taskset -cp $$ 2>/dev/null` =~ /: (\d+)/;
my $TASKSET = defined $cpu && system("taskset -c $cpu true 2>/dev/null") == 0 ? "taskset -c $cpu " : '';
my $STRACE  = $TASKSET . "strace -f -o '$dir/trace'";

# Returns (COUNT, { system call => how often }, the trace) of a run of a program and its children.
sub traced {
    my (@command) = @_;
    system("$STRACE pgms/@command >/dev/null 2>'$dir/err'");
    open my $in, '<', "$dir/err" or die "cannot read: $!\n";
    my ($count) = do { local $/; <$in> // '' }
        =~ /^COUNT\|(\d+)/m;
    close $in;
    open $in, '<', "$dir/trace" or die "cannot read: $!\n";
    my (%calls, @lines);

    while (my $line = <$in>) {
        push @lines, $line;
        $calls{$1}++ if $line =~ /^\d+\s+(\w+)\(/;
    }
    return ($count, \%calls, \@lines);
}

# Traces a program for a longer time, until it counts enough: on a busy machine processes are made slowly.
sub traced_enough {
    my ($program, @arguments) = @_;
    my $seconds = 0.5;
    my @got;
    while ($seconds < 60) {
        @got = traced($program, $seconds, @arguments);
        last if ($got[0] // 0) > 20;
        $seconds *= 3;
    }
    return @got;
}

# Tests that each call is made once a count, give or take what happens before and after.
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
    my ($count, $calls, $lines) = traced('pipe', 0.05);
    once_each('pipe', $count, $calls, 'write', 'read');
    my $whole = grep { /^\d+\s+(?:write|read)\(\d+, .*, 512\)\s+= 512$/ } @$lines;
    cmp_ok($whole, '>=', 2 * $count, 'each time 512 bytes');
};

subtest 'syscall makes its calls' => sub {
    my @mix = traced('syscall', 0.05);
    once_each('syscall', @mix[ 0, 1 ], qw(dup close getpid getuid umask));
    my @close = traced('syscall', 0.05, 'close');
    once_each('syscall close', @close[ 0, 1 ], qw(dup close));
    my @getpid = traced('syscall', 0.05, 'getpid');
    once_each('syscall getpid', @getpid[ 0, 1 ], 'getpid');
};

subtest 'context1 is a round trip' => sub {
    my ($count, $calls) = traced('context1', 0.05);
    cmp_ok(abs(($calls->{write} // 0) - 2 * $count), '<=', 12 + $count * 0.04, 'a write in each process');
    cmp_ok(abs(($calls->{read}  // 0) - 2 * $count), '<=', 12 + $count * 0.04, 'a read in each process');
};

subtest 'processes are made, replaced and waited for' => sub {
    my @spawn = traced_enough('spawn');
    once_each('spawn', @spawn[ 0, 1 ], 'clone|clone3|fork|vfork', 'wait4|waitpid|waitid');
    my @execl = traced_enough('execl');
    once_each('execl', @execl[ 0, 1 ], 'execve');
    cmp_ok($execl[1]{getpid} // 0, '<', 12, 'execl asks who it is at the beginning and at the end');
    my @looper = traced_enough('looper', qw(/bin/sh -c :));
    once_each('looper', @looper[ 0, 1 ], 'clone|clone3|fork|vfork', 'execve', 'wait4|waitpid|waitid');
    cmp_ok($looper[1]{dup2} // $looper[1]{dup3} // 0,
        '<', 12, 'looper leaves the input of a command as it is');
    my @sysexec = traced_enough('syscall', 'exec');
    once_each('syscall exec', @sysexec[ 0, 1 ], 'clone|clone3|fork|vfork', 'execve', 'wait4|waitpid|waitid');
};

subtest 'fstime moves whole buffers of the size it was told' => sub {
    for my $size (256, 1024, 4096) {
        my (undef, undef, $lines) = traced('fstime', '-c', '-t', 0.2, '-b', $size, '-m', 100, '-d', "$dir");
        my %n;
        /^\d+\s+(write|read)\(\d+, .*, $size\)\s+= $size$/ && $n{$1}++ for @$lines;
        my $fill = 100 * 1024 / $size;
        cmp_ok($n{read}  // 0, '>', 3 * $fill, "read of $size bytes");
        cmp_ok($n{write} // 0, '>', $fill,     "write of $size bytes");
    }
};

# Returns how often calls match the pattern.
sub how_often {
    my ($lines, $pattern) = @_;
    return scalar grep { /^\d+\s+$pattern/ } @$lines;
}

# Returns the sum of a call's results. A result may be on another line than the start of its call.
sub sum_of {
    my ($lines, $name) = @_;
    my $sum = 0;
    /^\d+\s+(?:$name\(|<\.\.\. $name resumed>).*= (\d+)$/ and $sum += $1 for @$lines;
    return $sum;
}

subtest 'pipe84 sends half a megabyte to each child' => sub {
    my ($units, $calls, $lines) = traced('pipe84', 0.05);
    cmp_ok($units, '>', 0, 'there are whole units');
    is(
        how_often($lines, qr/write\(\d+, "p+"\.\.\., 512(?:\)| <unfinished)/),
        1024 * $units,
        '1,024 writes of 512 bytes a unit'
    );

    # There are more calls than these: the loader reads a file, and the harness writes its result.
    is(sum_of([ grep { !/ELF/ } @$lines ], 'read'),    512 * 1024 * $units, 'every byte is read');
    is(($calls->{pipe} // 0) + ($calls->{pipe2} // 0), $units,              'a pipe a unit');
    is(how_often($lines, qr/(?:clone3?|v?fork)\(/),    $units,              'a process a unit');
};

subtest 'scall84 asks 25,000 times' => sub {
    my ($units, $calls) = traced('scall84', 0.01);
    cmp_ok($units, '>', 0, 'there are whole units');
    my $more = $calls->{getpid} - 25_000 * $units;
    ok($more >= 0 && $more <= 3, "25,000 calls a unit, and the first ($calls->{getpid} in $units)");
};

# Returns the calls on the file of dwrite84 or dread84, and the number of files that were made, because their
# COUNT is not a number of units.
sub traced_file {
    my ($program) = @_;
    my (undef, undef, $lines) = traced($program, 0.05, "'$dir'");
    my $files = how_often($lines, qr/open(?:at)?\(.*$program\.\d+", O_WRONLY\|O_CREAT\|O_TRUNC/);
    cmp_ok($files, '>', 1, "$program: files are made");
    is(
        how_often($lines, qr/write\(\d+, .*, 512\)\s+= 512$/),
        256 * $files,
        "$program: 256 writes of 512 bytes each"
    );
    is(how_often($lines, qr/unlink(?:at)?\(.*$program\.\d+".*\)\s+= 0$/),
        $files, "$program: each is removed once");
    return ($lines, $files);
}

# Returns the calls of one unit in their order, without numbers, from the one that opens the file to the one
# that closes or removes it.
sub first_unit {
    my ($lines, $from, $to) = @_;
    my ($inside, @names);
    for (@$lines) {
        $inside ||= /^\d+\s+open\w*\(.*$from/ or next;
        push @names, /^\d+\s+([a-z]+)/;
        last if /^\d+\s+$to/;
    }
    return join ' ', @names;
}

subtest 'dwrite84 makes a file, closes and opens it, writes 256 blocks and closes it' => sub {
    my ($lines) = traced_file('dwrite84');
    my $calls = qr/\Aopen(?:at)? close open(?:at)? (?:write ){256}close\b/;
    like(first_unit($lines, qr/O_CREAT/, qr/unlink/), $calls, 'nothing else is in it');
};

subtest 'dread84 reads 256 blocks from the same places each time and removes the file' => sub {
    my (@places, %seen);
    for my $run (1, 2) {
        my ($lines, $files) = traced_file('dread84');

        # The first file is made before the clock starts.
        my $units = $files - 1;
        my @to    = map { /^\d+\s+lseek\(\d+, (\d+), SEEK_SET\)\s+= (\d+)$/ && $1 == $2 ? $1 : () } @$lines;
        is(scalar @to,                                           256 * $units, '256 places a unit');
        is(how_often($lines, qr/read\(\d+, .*, 512\)\s+= 512$/), 256 * $units, '256 reads of 512 bytes');
        like(
            first_unit($lines, qr/dread84\.\d+", O_RDONLY/, qr/unlink/),
            qr/\Aopen(?:at)? (?:lseek read ){256}close unlink(?:at)?\z/,
            'nothing else is in it'
        );
        push @places, join ' ', splice @to, 0, 256 while @to;
    }
    is(
        scalar(grep { $_ eq $places[0] } @places),
        scalar @places,
        'the same places in every unit of both runs'
    );
    my @place = sort { $a <=> $b } split ' ', $places[0];
    cmp_ok($place[-1], '<=',                          256 * 512 - 512, 'the last block is the last there is');
    cmp_ok(scalar(grep { !$seen{$_}++ } @place), '>', 250, 'the places differ');
    cmp_ok(scalar(grep { $_ % 512 } @place),     '>', 250, 'they are places of bytes, not of blocks');
};

done_testing;
