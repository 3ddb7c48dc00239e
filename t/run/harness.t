# SPDX-License-Identifier: GPL-2.0-or-later
# The measured programs run as Run runs them: results, gate and placement through the environment (bench.h,
# channel.h).
use 5.014;
use strict;
use warnings;

use Fcntl qw(F_SETFD);
use File::Basename qw(basename);
use File::Glob qw(bsd_glob);
use File::Spec ();
use File::Temp ();
use POSIX qw(WNOHANG);
use Test::More;
use Time::HiRes qw(sleep);

use lib 't/lib';
use Amount;
use NoWarnings;
use Programs;
use Waiting;

use constant { COPY => 7, MOST_SLICES => 160 };

my $work = File::Temp->newdir;

# One for each way to count: by bench_next, by bench_tick, through an exec, with children, a unit of work, a
# rate or a figure of the program's own making.
my %STANDS = map { $_ => 1 }
    qw(pipe fstime execl context1 looper m-permut whetstone-double numeric-sort memcpy fcall84);
my @STANDING = grep { Amount::is_all() || $STANDS{$_} } Programs::built();

sub pipe_ends {
    pipe my $read, my $write or die "cannot make a pipe: $!\n";
    return ($read, $write);
}

# Starts a program that will wait at the gate: { pid, result, ready, gate } with this process's ends of the
# three pipes.
sub start {
    my ($program, $seconds, %env) = @_;
    return start_command([ Programs::path($program), Programs::arguments($program, $seconds, $work) ], %env);
}

sub start_command {
    my ($command, %env)       = @_;
    my ($result,  $to_result) = pipe_ends();
    my ($ready,   $to_ready)  = pipe_ends();
    my ($at_gate, $gate)      = pipe_ends();
    my $pid = fork;
    die "cannot fork: $!\n" if !defined $pid;
    if (!$pid) {
        fcntl $_, F_SETFD, 0 for $to_result, $to_ready, $at_gate;
        my %ends = (TS_RESULT => fileno $to_result, TS_READY => fileno $to_ready, TS_GATE => fileno $at_gate);
        %ENV = (%ENV, %ends, TS_COPY => COPY, %env);
        open STDOUT, '>', File::Spec->devnull or POSIX::_exit(126);
        open STDERR, '>', "$work/err"         or POSIX::_exit(126);
        { no warnings 'exec'; exec { $command->[0] } @$command }
        POSIX::_exit(127);
    }
    return { pid => $pid, result => $result, ready => $ready, gate => $gate };
}

sub is_ready {
    my ($copy) = @_;
    my $n      = sysread $copy->{ready}, my $byte, 10;
    return $n && $byte eq 'r';
}

# True if the pipe has bytes or its other end is closed.
sub has_news {
    my ($pipe) = @_;
    vec(my $set = '', fileno $pipe, 1) = 1;
    return select($set, undef, undef, 0) > 0;
}

sub status_at_end {
    my ($copy) = @_;
    return comes(sub { waitpid($copy->{pid}, WNOHANG) == $copy->{pid} }) ? $? : kill_and_reap($copy)
        && 'still running';
}

sub kill_and_reap {
    my ($copy) = @_;
    kill 'KILL', $copy->{pid};
    return waitpid $copy->{pid}, 0;
}

sub lines_of {
    my ($copy) = @_;
    my $result = $copy->{result};
    chomp(my @lines = <$result>);
    return @lines;
}

sub stderr_of {
    open my $in, '<', "$work/err" or die "cannot open '$work/err': $!\n";
    return join '', <$in>;
}

sub monotonic {
    return eval { Time::HiRes::clock_gettime(Time::HiRes::CLOCK_MONOTONIC()) };
}

sub is_growing {
    my ($name, @numbers) = @_;
    is_deeply(\@numbers, [ sort { $a <=> $b } @numbers ], $name);
    return;
}

# Facts about a process on Linux: the CPUs it may use, and its living children.
sub cpus_of {
    my ($pid) = @_;
    open my $in, '<', "/proc/$pid/status" or return '';
    my ($cpus) = map { /^Cpus_allowed_list:\s*(\S+)/ } <$in>;
    return $cpus // '';
}

sub parent_of {
    my ($pid) = @_;
    open my $in, '<', "/proc/$pid/stat" or return 0;
    my ($state, $parent) = (readline($in) // '') =~ /\) (\S) (\d+)/;
    return $parent && $state ne 'Z' ? $parent : 0;
}

sub child_of {
    my ($pid)   = @_;
    my ($child) = grep { parent_of($_) == $pid } map { basename($_) } glob '/proc/[0-9]*';
    return $child;
}

sub usable_cpus {
    return map { /(\d+)-(\d+)/ ? $1 .. $2 : $_ } split /,/, cpus_of($$);
}

# All lines of a copy that has ended well.
sub check_lines {
    my ($program, @lines) = @_;
    is(
        scalar(
            grep { !/\A7\|(?:COUNT|TIME|CPU|PREEMPTED|SLEPT|FAULTS|SLICE|FIGURE|MISSING|HOW)\|[^|]/ } @lines
        ),
        0,
        "$program: lines of copy 7 only"
    );
    my ($count, $timebase) = map { /\A7\|COUNT\|([^|]+)\|(\d+)\|/ } @lines;
    my @slices = map { [/\A7\|SLICE\|(\d+)\|(\d+)\|(\d+)\z/] } grep { /SLICE/ } @lines;
    cmp_ok(scalar @slices, '>=', 2, "$program: at least two slices");
    is($slices[0][1], 0, "$program: the first is the start");
    is_growing("$program: slices never go back in time",     map { $_->[0] } @slices);
    is_growing("$program: slices never go back in count",    map { $_->[1] } @slices);
    is_growing("$program: slices never go back in CPU time", map { $_->[2] } @slices);
    cmp_ok(scalar @slices, '<=', MOST_SLICES, "$program: not too many slices");
    is($slices[-1][1], $count, "$program: the last slice has the count") if $timebase;
    my ($seconds) = map { /\|TIME\|(\S+)/ } @lines;
    my $of_slices = sprintf '%.6f', ($slices[-1][0] - $slices[0][0]) / 1e9;
    is($of_slices, $seconds, "$program: the slices cover the time") if $timebase;
    return;
}

subtest 'a program is ready, waits for the gate, starts its clock, and its slices lead to the result' => sub {
    for my $program (@STANDING) {
        my $copy = start($program, 0.05, TS_SLICES => 1);
        ok(is_ready($copy), "$program: one byte when the set-up is done");
        sleep 0.02;
        ok(!has_news($copy->{result}), "$program: nothing is reported before the gate opens");
        my $opened = monotonic();
        close $copy->{gate};
        my @lines = lines_of($copy);
        is(status_at_end($copy), 0,  "$program: exit 0");
        is(stderr_of(),          '', "$program: standard error stays empty");
        my ($start) = map { /SLICE\|(\d+)\|0\|\d+\z/ } @lines;
    SKIP: {
            skip 'no monotonic clock', 1 if !$opened;
            cmp_ok($start // 0, '>=', int($opened * 1e9), "$program: the clock starts after the gate opened");
        }
        check_lines($program, @lines);
    }
};

subtest 'few slices lead to the result, too' => sub {
    for my $program (@STANDING) {
        my $copy = start($program, 0.15, TS_SLICES => 2);
        close $copy->{gate};
        my @lines = lines_of($copy);
        is(status_at_end($copy), 0, "$program: exit 0");
        check_lines($program, @lines);
    }
};

# fcall84 measures two loops, and others stop at the end of what they time, so TS_WARM is not for them.
subtest 'what a program does in its warm-up does not count' => sub {
    for my $program (qw(pipe fstime execl context1 looper spawn lock)) {
        my $begun = monotonic();
        my $copy  = start($program, 0.05, TS_SLICES => 1, TS_WARM => 0.15);
        close $copy->{gate};
        my @lines = lines_of($copy);
        is(status_at_end($copy), 0, "$program: exit 0");
        check_lines($program, @lines);
        my ($start) = map { /SLICE\|(\d+)\|0\|\d+\z/ } @lines;
        cmp_ok($start // 0, '>=', int(($begun + 0.15) * 1e9), "$program: its clock starts after the warm-up")
            if $begun;
    }
    my $copy = start('pipe', 0.05, TS_WARM => 'nan');
    close $copy->{gate};
    like(join("\n", lines_of($copy)), qr/ERROR\|TS_WARM is 'nan'/, 'which is a number of seconds');
    is(status_at_end($copy) >> 8, 1, 'exit 1');
};

subtest 'without TS_SLICES there are no slices' => sub {
    my $copy = start('pipe', 0.05);
    close $copy->{gate};
    is(
        join(' ', map { (split /\|/)[1] } lines_of($copy)),
        'COUNT TIME CPU PREEMPTED SLEPT FAULTS',
        'six lines'
    );
    is(status_at_end($copy), 0, 'exit 0');
};

subtest 'a program whose reader is gone ends by itself' => sub {
    my @copies = map { start($_, 100) } @STANDING;
    ok(is_ready($_), 'ready') for @copies;
    close $_->{gate} for @copies;
    sleep 0.05;
    close $_->{result} for @copies;
    isnt(status_at_end($copies[$_]), 'still running', "$STANDING[$_] ended") for 0 .. $#copies;
};

subtest 'a program whose reader goes before the gate opens measures nothing' => sub {
    for my $program (@STANDING) {
        my $copy = start($program, 20);
        ok(is_ready($copy), "$program: ready");
        close $copy->{result};
        close $copy->{gate};
        isnt(status_at_end($copy), 0, "$program: it failed");
    }
};

subtest 'errors go to the result descriptor with the number of the copy' => sub {
    my $copy = start_command([ Programs::path('looper'), 0.05, 'false' ]);
    close $copy->{gate};
    my @lines = lines_of($copy);
    is(status_at_end($copy), 1 << 8, 'exit 1');
    is(scalar @lines,        1,      'one line');
    like($lines[0], qr/\A7\|ERROR\|.*'false' exited with status 1/, 'it says why');
    is(stderr_of(), '', 'standard error stays empty');
};

subtest 'a CPU that does not exist is an error' => sub {
    plan skip_all => 'only Linux is known to have this' if $^O ne 'linux';
    for my $cpu ('x', '-3', '1000000') {
        my $copy = start('pipe', 0.05, TS_CPUS => $cpu);
        like(join('', lines_of($copy)), qr/\A7\|ERROR\|.*\Q$cpu\E/, "$cpu: the error names it");
        is(status_at_end($copy), 1 << 8, "$cpu: exit 1");
    }
};

subtest 'TS_CPUS puts a program on one CPU' => sub {
    plan skip_all => 'only Linux shows where a process may run' if $^O ne 'linux' || !usable_cpus();
    for my $cpu (usable_cpus()) {
        my $copy = start('execl', 20, TS_CPUS => $cpu);
        ok(is_ready($copy), 'ready');
        is(cpus_of($copy->{pid}), $cpu, "on CPU $cpu before the start");
        close $copy->{gate};
        sleep 0.05;
        is(cpus_of($copy->{pid}), $cpu, "on CPU $cpu after many execs");
        kill_and_reap($copy);
    }
};

subtest 'TS_CPUS puts the two processes of context1 where they are told to be' => sub {
    my @cpus = $^O eq 'linux' ? usable_cpus() : ();
    plan skip_all => 'needs Linux with two CPUs' if @cpus < 2;
    for my $place ([ $cpus[0], $cpus[1] ], [ $cpus[1], $cpus[0] ], [ $cpus[1] ]) {
        my $copy = start('context1', 20, TS_CPUS => join ',', @$place);
        ok(is_ready($copy), 'ready');
        my $child = child_of($copy->{pid});
        is(cpus_of($copy->{pid}), $place->[0], "@$place: the parent");
        ok(comes(sub { cpus_of($child) eq $place->[-1] }), "@$place: the child");
        kill_and_reap($copy);
    }
};

subtest 'the two processes of context1 notice when the other is gone' => sub {
    plan skip_all => 'only Linux shows the children of a process' if $^O ne 'linux';
    my $copy  = start('context1', 20);
    my $child = is_ready($copy) && child_of($copy->{pid});
    kill_and_reap($copy);
    ok(comes(sub { !parent_of($child) }), 'the child ends when the parent is killed');

    $copy  = start('context1', 20);
    $child = is_ready($copy) && child_of($copy->{pid});
    close $copy->{gate};
    kill 'KILL', $child;
    my @lines = lines_of($copy);
    is(scalar @lines, 1, 'the parent reports one line when the child is killed');
    like($lines[0], qr/\A7\|ERROR\|.*the child was killed by signal 9\z/, 'it says what happened');
    is(status_at_end($copy), 1 << 8, 'and fails');
};

subtest 'fstime leaves no file behind when it is killed' => sub {
    my $dir = File::Temp->newdir;
    for my $action (qw(-w -r -c)) {
        my $copy = start_command([ Programs::path('fstime'), 20, $action, '-d', "$dir" ]);
        ok(is_ready($copy), "$action: ready");
        close $copy->{gate};
        kill_and_reap($copy);
        is_deeply([ bsd_glob("$dir/{*,.[!.]*}") ], [], "$action: no file");
    }
};

done_testing();
