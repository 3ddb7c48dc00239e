#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Touchstone::Machine::Command: tools of the system that are run but not measured.
use 5.014;
use strict;
use warnings;

our ($no_process, $tries);

BEGIN {
    *CORE::GLOBAL::fork = sub {
        if ($no_process) { $tries++; $! = POSIX::EAGAIN(); return undef }
        return CORE::fork;
    };
}

use Errno ();
use File::Temp ();
use POSIX ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Machine::Command;
use Touchstone::Machine::Disk;
use Waiting;

sub output { return Touchstone::Machine::Command::output(@_) }

subtest 'status and output come back' => sub {
    is_deeply(
        [ output([ 'sh', '-c', 'echo out; echo err >&2' ]) ],
        [ 0, "out\n" ],
        'standard error is dropped'
    );
    is_deeply(
        [ output([ 'sh', '-c', 'echo out; echo err >&2' ], errors => 1) ],
        [ 0, "out\nerr\n" ],
        'or part of the output'
    );
    is((output([ 'sh', '-c', 'exit 3' ]))[0] >> 8, 3, 'a status');
    is(
        length(
            (output([ 'sh', '-c', 'i=0; while [ $i -lt 30000 ]; do echo 0123456789; i=$((i+1)); done' ]))[1]
        ),
        330_000,
        'more than a pipe holds'
    );
    is((output(['cat']))[1], '', 'its input is empty');
};

subtest 'a command that is not there is a reason, no death' => sub {
    is_deeply(
        [ output(['no-such-command-here']) ],
        [ -1, "'no-such-command-here' is not installed" ],
        'it is named'
    );
    is(Touchstone::Machine::Command::first_line('no-such-command-here'), undef, 'and has no first line');
};

subtest 'no process left is an answer at once' => sub {
    local ($no_process, $tries) = (1, 0);
    my ($status, $text) = output([ 'echo', 'hello' ]);
    is($status, -1, 'a status of its own');
    like($text, qr/\Acannot start a process: \S/, 'with the cause');
    is(Touchstone::Machine::Command::first_line('uname'), undef, 'facts are then unknown');
    is(Touchstone::Machine::Disk::free_space('/'),        undef, 'free space too');
    is($tries,                                            3,     'and nothing is tried again and again');
};

subtest 'something else can be done while a command runs' => sub {
    my $times = 0;
    is((output([ 'sleep', '0.3' ], while_waiting => sub { $times++ }))[0], 0, 'it ends well');
    cmp_ok($times, '>', 1, 'now and then');
};

subtest 'what is stopped ends with all that it started' => sub {
    my $file     = File::Temp->new;
    my $said     = sub { open my $in, '<', "$file" or die "cannot open: $!\n"; return <$in> };
    my ($status) = output([ 'sh', '-c', 'sleep 5000 & echo $! >"$0"; sleep 5000; echo done', "$file" ],
        stopped => sub { return scalar(my @lines = $said->()) });
    is($status & 127, POSIX::SIGTERM(), 'by a signal');
    chomp(my ($sleeper) = $said->());
    ok(comes(sub { gone($sleeper) }), 'long before its time') or kill 'KILL', $sleeper;
};

done_testing;
