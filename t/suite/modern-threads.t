# SPDX-License-Identifier: GPL-2.0-or-later
# The programs handoff, lock, thread, heap and bounce of the suite modern run by hand: one to five threads,
# one CPU, what they cannot have. A copy of the sources in which one step goes wrong shows that they notice; a
# preloaded library makes calls fail.
use 5.014;
use strict;
use warnings;

use Fcntl qw(F_SETFD);
use Test::More;

use lib 't/lib';
use ByHand;
use NoWarnings;
use Programs;
use Sources ();
use Touchstone::Machine::Cpus;

use constant { SECONDS => 0.05, LONGER => 0.2 };

delete @ENV{qw(TS_RESULT TS_COPY TS_READY TS_GATE TS_CPUS TS_SLICES TS_WARM TS_TURN LD_PRELOAD)};

my @PAIRS = qw(handoff bounce);
my @TEAMS = (@PAIRS, qw(lock heap));
my @USABLE =
    $^O eq 'linux' ? @{ Touchstone::Machine::Cpus::read_all()->{usable} } : ();

# The numbers that a program told, by name.
sub figures {
    my ($err) = @_;
    return { $err =~ /^FIGURE\|([\w.-]+)\|([^|\n]+)/mg };
}

# A single core has no second one, so bounce is left out there.
my (undef, $alone) = program('bounce', SECONDS, 1);
my @here = grep { $_ ne 'bounce' || $alone !~ /\ASKIP/ } @TEAMS;

subtest 'one to five threads do their work, in pairs or alone' => sub {
    for my $program (@here) {
        for my $threads (1 .. 5) {
            my ($status, $err) = program($program, SECONDS, $threads);
            is_result("$program of $threads", $status, $err);
        }
    }
    is_result('thread', program('thread', SECONDS));
};

subtest 'each tells its own figures, and by what means it works' => sub {
    my %figures = (handoff => 'p50 p99', lock => 'fairness', heap => '', bounce => 'one_way');
    for my $program (@here) {
        my (undef, $err) = program($program, SECONDS, 3);
        is(join(' ', sort keys %{ figures($err) }), $figures{$program}, $program) or diag($err);
    }
    my (undef, $err) = program('handoff', SECONDS, 2);
    my $times = figures($err);
    cmp_ok($times->{p50}, '<=', $times->{p99}, 'handoff: half of the trips are no slower than 99 of 100');
    my $means = $^O eq 'linux' ? 'futex' : 'cond';
    like($err, qr/^HOW\|$means$/m, "handoff: by $means");
    my (undef, $said) = program('heap', SECONDS, 2);
    like($said, qr/^HOW\|libc$/m, 'heap: the allocator of the C library');
};

subtest 'a thread is alone in its fairness, and several share it' => sub {
    is(figures((program('lock', SECONDS, 1))[1])->{fairness}, 1, 'one');
    my $fairness = figures((program('lock', SECONDS, 4))[1])->{fairness};
    ok($fairness >= 0 && $fairness <= 1, 'a part of the busiest') or diag($fairness);
};

subtest 'what they cannot be told is a usage error' => sub {
    for my $program (@TEAMS) {
        is_usage("$program '@$_'", program($program, @$_))
            for [], [SECONDS], [ 'x', 2 ], [ 0, 2 ], [ SECONDS, 2, 2 ],
            map { [ SECONDS, $_ ] } 0, -1, '', '2x', 65_537;
    }
    is_usage('thread with a number',  program('thread', SECONDS, 2));
    is_usage('thread without a time', program('thread'));
};

# The CPUs of the first thread and the others of a process, once all are where they stay.
sub cpus_of_threads {
    my ($pid) = @_;
    my @threads = sort { $a <=> $b } map { m{(\d+)\z} } glob "/proc/$pid/task/*";
    return
        map { (Sources::slurp("/proc/$pid/task/$_/status") =~ /^Cpus_allowed_list:\s*(\S+)/m)[0] } @threads;
}

# Starts a program as Run does, and returns its number, what it said when it was ready and a line for each
# CPU of its threads; then the program is ended.
sub at_gate {
    my ($words, %env) = @_;
    pipe my $ready,   my $to_ready or die "cannot make a pipe: $!\n";
    pipe my $at_gate, my $gate     or die "cannot make a pipe: $!\n";
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
        fcntl $_, F_SETFD, 0 for $to_ready, $at_gate;
        @ENV{ 'TS_READY', 'TS_GATE', keys %env } = (fileno $to_ready, fileno $at_gate, values %env);
        close $gate;
        { no warnings 'exec'; exec { Programs::path($words->[0]) } @$words }
        POSIX::_exit(127);
    }
    close $to_ready;
    close $at_gate;
    sysread $ready, my $byte, 1;
    my @cpus = cpus_of_threads($pid);
    kill 'KILL', $pid;
    waitpid $pid, 0;
    return ($byte, @cpus);
}

subtest 'pairs stay on the CPUs that they are given' => sub {
    plan skip_all => 'needs Linux with two CPUs' if @USABLE < 2;
    my ($one, $two) = @USABLE;
    for my $program (@PAIRS) {
        my (undef, @cpus) = at_gate([ $program, 20, 4 ], TS_CPUS => "$one,$two");
        is("@cpus", "$one $one $two $one $two", "$program: the main thread and two pairs on two CPUs");
    }
    my (undef, @cpus) = at_gate([ 'handoff', 20, 2 ], TS_CPUS => $two);
    is("@cpus", "$two $two $two", 'handoff: both on one');
    my $all = join ' ', cpus_of_threads($$);
    (undef, @cpus) = at_gate([ 'lock', 20, 2 ]);
    is("@cpus", "$all $all $all", 'lock: wherever the system puts them');
};

subtest 'a team refuses turns' => sub {
    for my $program (@here) {
        open my $turns, '<', '/dev/null' or die "cannot open: $!\n";
        fcntl $turns, F_SETFD, 0;
        is((at_gate([ $program, 20, 2 ], TS_TURN => fileno $turns))[0], 'r', $program);
    }
};

subtest 'with one CPU a pair hands over on it and says so, and no line bounces' => sub {
    plan skip_all => 'only Linux is known to have CPUs to choose' if !@USABLE;
    local $ENV{TS_CPUS} = $USABLE[0];
    my ($status, $err) = program('handoff', SECONDS, 4);
    is_result('handoff', $status, $err);
    like($err, qr/^HOW\|futex-one-cpu$/m, 'it says so');
    ($status, $err) = program('bounce', SECONDS, 2);
    is($status, 77 << 8,                                                        'bounce: exit 77');
    is($err,    "SKIP|a line moves between two cores, and there is only one\n", 'a line says why');
};

subtest 'a team has the CPUs of different cores, far from each other' => sub {
    my $cpus = sub {
        my ($per_core, @usable) = @_;
        return { usable => \@usable, core => { map { $_ => $_ - $_ % $per_core } @usable } };
    };
    my @expected = (
        [ '0',       1, 0 ],
        [ '0',       2, 0, 1 ],
        [ '0,1',     1, 0, 1 ],
        [ '0,2,1,3', 1, 0 .. 3 ],
        [ '0,4,2,6', 2, 0 .. 7 ],
        [ '1,3',     1, 1, 3 ],
        [ '0,2,1,3', 1, 0 .. 3 ],
    );
    my @copies = (1, 4, 1, 5, 4, 4, 8);
    for my $i (0 .. $#expected) {
        my ($text, $per_core, @usable) = @{ $expected[$i] };
        is(Touchstone::Machine::Cpus::of_team($cpus->($per_core, @usable), $copies[$i]),
            $text, "$copies[$i] copies on @usable, $per_core a core");
    }
};

# Each makes one step of a source go wrong: [program, file, from, to, what it says]. Where threads wait for
# each other it is the first step, since on a busy machine there may be few.
my $LATER = [
    'modern/shared/team.c',
    'return sum;',
    'return team_flag.stopped ? sum : sum + 1000000000;',
    '\d{10} operations were counted and \d+ done'
];
my @WRONG = (
    [ 'handoff', 'modern/handoff.c', 'p->answers++;', 'p->answers += 2;', 'trip 1 has answer 2' ],
    [
        'handoff',            'modern/handoff.c',
        "\t\tteam_count(m);", "\t\tif (trips != 1) team_count(m);",
        'pair 1 made \d+ trips and has \d+ answers'
    ],
    [ 'handoff', @$LATER ],
    [
        'bounce', 'modern/bounce.c', 'number + 1, memory_order_release);
}', 'number + (number == 1 ? 3 : 1), memory_order_release);
}', '4 stands where [23] should'
    ],
    [
        'bounce',             'modern/bounce.c',
        "\t\tteam_count(m);", "\t\tif (number != 0) team_count(m);",
        'pair 1 ends at \d+ after \d+ trips'
    ],
    [ 'bounce', @$LATER ],
    [
        'lock',                 'modern/lock.c',
        'shared.counter[i]++;', 'shared.counter[i] += i != 7 || m->count != 5;',
        'counter 8 is \d+ after \d+ sections'
    ],
    [
        'lock', 'modern/lock.c',
        'int i = 0; i < STEPS;',
        'int i = x == 0; i < STEPS;',
        'thread 1 did other work than \d+ times 64 steps'
    ],
    [ 'lock', @$LATER ],
    [
        'heap', 'modern/heap.c',
        '(random >> LAST_SHIFT);',
        '((random >> LAST_SHIFT) + (h->made == 5000));',
        'a block of \d+ bytes has changed'
    ],
    [
        'heap', 'modern/heap.c',
        '& ~SIZE) | size;',
        '& ~SIZE) | (h->made == 5000 ? 0 : size);',
        'a block says that it has 0 bytes'
    ],
    [
        'heap',
        'modern/heap.c',
        "0; i < SLOTS; i++)\n\t\tfree_block",
        "1; i < SLOTS; i++)\n\t\tfree_block",
        '\d+ blocks were made, \d+ freed, \d+ counted'
    ],
    [ 'heap', @$LATER ],
    [
        'thread', 'modern/thread.c',
        '++*(uint64_t *)number;',
        '*(uint64_t *)number += *(uint64_t *)number != 3;',
        '3 of \d+ threads did their work'
    ],
);

subtest 'a step that goes wrong is noticed' => sub {
    for my $wrong (@WRONG) {
        my ($program, $file, $from, $to, $says) = @$wrong;
        next if $program eq 'bounce' && !grep { $_ eq 'bounce' } @here;
        my $source   = "$Sources::dir/src/$file";
        my $original = Sources::slurp($source);
        (my $text = $original) =~ s/\Q$from\E/$to/ or die "'$from' is not in $file\n";
        Sources::spew($source, $text);
        my ($failed, undef, $err) = Sources::build($program, 'FLAGS=-O1 -pthread', 'CFLAGS=-w');
        Sources::spew($source, $original);
        is($failed, 0, "$program is built with '$to'") or diag($err);
        my @members = $program eq 'thread' ? () : $program eq 'lock' || $program eq 'heap' ? 1 : 2;
        my ($status, $said) = run("$Sources::dir/pgms/$program", LONGER, @members);

        # Both sides of a line may notice.
        is_error("$program with '$to'", "wrong result: $says", $status, $said =~ s/\n\K.*//sr);
    }
};

# Calls fail that the environment names: the third pthread_create, every sched_setaffinity.
my $SHIM = <<'C';
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fails(const char *call)
{
	const char *fault = getenv("FAULT");
	return fault && strcmp(fault, call) == 0;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*does)(void *), void *with)
{
	static int made;
	int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
	return fails("pthread_create") && ++made == 3 ? EAGAIN : real(thread, how, does, with);
}

#ifdef __linux__
int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	static int moved;	/* threads do this at once */
	int (*real)(pid_t, size_t, const cpu_set_t *);
	*(void **)&real = dlsym(RTLD_NEXT, "sched_setaffinity");
	if (fails("sched_setaffinity") || (fails("later") && __atomic_add_fetch(&moved, 1, __ATOMIC_RELAXED) == 3))
		return errno = EPERM, -1;
	return real(pid, size, set);
}
#endif

/* What asks for it shall not be measured. */
int sched_yield(void)
{
	int (*real)(void);
	*(void **)&real = dlsym(RTLD_NEXT, "sched_yield");
	if (fails("sched_yield"))
		_exit(99);
	return real();
}
C

sub with_fault {
    my ($fault, @words) = @_;
    local @ENV{qw(FAULT LD_PRELOAD)} = ($fault, "$work/shim.so");
    return program(@words);
}

sub can_preload {
    Sources::spew("$work/shim.c", $SHIM);
    my ($status) =
        run(Programs::compiler(), qw(-std=gnu11 -shared -fPIC -o), "$work/shim.so", "$work/shim.c", '-ldl');
    return if $status != 0;
    my ($measured, $err) = with_fault('', 'heap', SECONDS, 1);
    return $measured == 0;
}

subtest 'calls that fail are told with their cause' => sub {
    plan skip_all => 'no library can be preloaded here' if !can_preload();
    my $again = 'Resource temporarily unavailable';
    is_error($_, "cannot make thread 3 of 4: $again", with_fault('pthread_create', $_, SECONDS, 4)) for @here;
    is_error('thread', "cannot make a thread: $again", with_fault('pthread_create', 'thread', SECONDS));
    like((with_fault('', 'heap', SECONDS, 2))[1], qr/^HOW\|preload$/m, 'heap says that a library came first');
SKIP: {
        skip 'needs Linux with two CPUs', 1 if @USABLE < 2;
        local $ENV{TS_CPUS} = "$USABLE[0],$USABLE[1]";
        for my $program (@PAIRS) {
            is(
                join(' ', (with_fault($_, $program, SECONDS, 2))[ 0, 1 ]),
                (77 << 8) . " SKIP|a filter of system calls forbids to choose a CPU\n",
                "$program $_"
            ) for qw(sched_setaffinity later);
        }
    }
};

# What else runs would get the CPU for so long that the two sides hardly ever ran at the same time again.
subtest 'a pair that has two CPUs leaves none of them to others, and pairs that share CPUs do' => sub {
    plan skip_all => 'needs Linux with two CPUs'               if @USABLE < 2;
    plan skip_all => 'no library can be preloaded here'        if !can_preload();
    plan skip_all => 'a line does not move between cores here' if !grep { $_ eq 'bounce' } @here;
    local $ENV{TS_CPUS} = "$USABLE[0],$USABLE[1]";
    is_result('a pair', with_fault('sched_yield', 'bounce', SECONDS, 2));
    is((with_fault('sched_yield', 'bounce', LONGER, 8))[0], 99 << 8, 'four pairs leave it to each other');
};

done_testing;
