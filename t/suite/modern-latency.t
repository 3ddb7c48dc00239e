# SPDX-License-Identifier: GPL-2.0-or-later
# The program wakeup run by hand: that it notes every time of its schedule however late it is, and notices
# sleeps that end early. What does not go wrong by itself does with a preloaded library, or in a changed
# source.
use 5.014;
use strict;
use warnings;

use Fcntl qw(F_SETFD);
use POSIX ();
use Test::More;

use lib 't/lib';
use ByHand;
use NoWarnings;
use Programs;
use Sources ();

-x Programs::path('wakeup') or plan skip_all => 'the program is not built';
delete @ENV{qw(TS_RESULT TS_READY TS_GATE TS_CPUS TS_SLICES TS_COPY TS_TURN TS_WARM)};

use constant { SECONDS => 0.1, PROBED => 123, ENOSYS => 38 };

# FAULT in the environment chooses what goes wrong, CALLS a file for what the program asked for.
my $LIBRARY = <<'C';
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static const char *fault = "";
static int sleeps, threads;
static unsigned long slack;

#define REAL(type, name, ...) ((type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void)
{
	if (getenv("FAULT"))
		fault = getenv("FAULT");
	if (strcmp(fault, "probe") == 0)
		_exit(123);
}

__attribute__((destructor)) static void end(void)
{
	FILE *out = getenv("CALLS") ? fopen(getenv("CALLS"), "w") : NULL;

	if (!out)
		return;
	fprintf(out, "threads=%d slack=%lu", threads, slack);
	fclose(out);
}

static int is(const char *what)
{
	return strcmp(fault, what) == 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *left)
{
	int (*const real)(clockid_t, int, const struct timespec *, struct timespec *) =
		REAL(int, clock_nanosleep, clockid_t, int, const struct timespec *, struct timespec *);
	const struct timespec stop = { .tv_nsec = 200000000 };

	sleeps++;
	if (is("none sleeps") && sleeps >= 50)
		return 0;
	if (is("no call"))
		return EINVAL;
	if (is("interrupted") && sleeps % 2 == 1)
		return EINTR;
	if (is("stopped") && sleeps == 20)
		real(CLOCK_MONOTONIC, 0, &stop, NULL);
	if (is("stopped at the end") && sleeps == 300)
		real(CLOCK_MONOTONIC, 0, &stop, NULL);
	return real(clock, flags, until, left);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *like, void *(*run)(void *), void *with)
{
	if (is("no thread") && threads == 2)
		return EAGAIN;
	threads++;
	return REAL(int, pthread_create, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)(thread,
		like, run, with);
}

int prctl(int what, ...)
{
	va_list more;

	va_start(more, what);
	if (what == PR_SET_TIMERSLACK)
		slack = va_arg(more, unsigned long);
	va_end(more);
	errno = EINVAL;
	return -1;
}
C

sub with_fault {
    my ($fault, @arguments) = @_;
    local @ENV{qw(FAULT LD_PRELOAD CALLS)} = ($fault, "$work/fault.so", "$work/calls");
    return program('wakeup', @arguments);
}

sub is_preloadable {
    Sources::spew("$work/fault.c", $LIBRARY);
    my ($status) = run(
        Programs::compiler(), '-std=gnu11',     '-shared',       '-fPIC',
        '-o',                 "$work/fault.so", "$work/fault.c", '-ldl',
        '-pthread'
    );
    return $status == 0 && (with_fault('probe', SECONDS, 0))[0] == PROBED << 8;
}

my $is_preloadable = is_preloadable();
my $SKIPPED        = 'no preloaded library has an effect on the program here';

sub figures { my ($err) = @_; return { $err =~ /^FIGURE\|([\w.]+)\|([^|\n]+)/mg } }

subtest 'the result is p99 of the tail that is shown' => sub {
    for my $load (0, 1, -1) {
        my ($status, $err) = program('wakeup', SECONDS, $load);
        is_result("load $load", $status, $err);
        my $figure = figures($err);
        is(join(' ', sort keys %$figure), 'max p50 p90 p99 p99.9 samples', "load $load: the figures");
        like($err, qr/^COUNT\|\Q$figure->{p99}\E\|0\|s$/m, "load $load: p99 is the result, in seconds");
        my @rising = map { $figure->{$_} } qw(p50 p90 p99 p99.9 max);
        is("@rising", join(' ', sort { $a <=> $b } @rising), "load $load: no quantile is below a lower one");
    }
};

subtest 'the window alone says how many times are noted' => sub {
    my %samples = map { figures((program('wakeup', SECONDS, $_))[1])->{samples} => 1 } 0, 0, -1, 3;
    is(scalar keys %samples, 1, 'with any load') or diag(join ' ', keys %samples);
    my ($samples) = keys %samples;
    cmp_ok($samples, '>=', SECONDS / 500e-6, 'at least one in 500 us');
    cmp_ok($samples, '<=', SECONDS / 100e-6, 'at most one in 100 us');
    my $twice = figures((program('wakeup', 2 * SECONDS, 0))[1])->{samples};
    cmp_ok($twice, '>', $samples, 'more in a longer window');
};

subtest 'times that pass while the sleeper is stopped are as late as they were' => sub {
    $is_preloadable or plan skip_all => $SKIPPED;
    my $wanted  = figures((program('wakeup', 0.3, 0))[1])->{samples};
    my ($err)   = (with_fault('stopped', 0.3, 0))[1];
    my $stopped = figures($err);
    is($stopped->{samples}, $wanted, 'each counts');
    cmp_ok($stopped->{max}, '>=', 0.199, 'the first is as late as the stop is long');
    cmp_ok($stopped->{p50}, '>=', 0.02,  'and half of all passed meanwhile');
};

subtest 'times that lie in the window count also where its end is slept through' => sub {
    $is_preloadable or plan skip_all => $SKIPPED;
    my $wanted = figures((program('wakeup', SECONDS, 0))[1])->{samples};
    cmp_ok($wanted, '>', 310, 'there are times after the stop');
    is(figures((with_fault('stopped at the end', SECONDS, 0))[1])->{samples}, $wanted, 'each counts');
};

subtest 'a sleep that ends early or fails is no result' => sub {
    $is_preloadable or plan skip_all => $SKIPPED;
    is_error('early',   'wrong result: a sleeper woke \d+ ns early$', with_fault('none sleeps', SECONDS, 0));
    is_error('none',    'cannot sleep: Invalid argument$',            with_fault('no call',     SECONDS, 0));
    is_error('threads', 'cannot make a thread: Resource temporarily', with_fault('no thread',   SECONDS, 3));
    is_result('a signal', with_fault('interrupted', SECONDS, 0));
};

sub threads { my @ran = with_fault('none', SECONDS, @_); return slurp("$work/calls") =~ /threads=(\d+)/ }

subtest 'as many threads compute as are asked for, or one for each CPU, which copies divide' => sub {
    $is_preloadable or plan skip_all => $SKIPPED;
    is((threads(0))[0], 0, 'none');
    is((threads(3))[0], 3, 'three');
    my ($cpus) = threads(-1);
    my ($status, undef, $out) = run('getconf', '_NPROCESSORS_ONLN');
    cmp_ok($cpus, '>=', 1,    'one at least');
    cmp_ok($cpus, '<=', $out, 'no more than there are CPUs') if $status == 0;
    is((threads(-1, 1))[0],         $cpus,                'one copy has them all');
    is((threads(-1, 2))[0],         int(($cpus + 1) / 2), 'two have a half each');
    is((threads(-1, 1_000_000))[0], 1,                    'each has one');
    is((threads(3,  2))[0],         3,                    'a number is that of each copy');
    my ($first) = (run('sh', '-c', 'taskset -cp $$'))[2] =~ /: (\d+)/ or return;
    local $ENV{TS_CPUS} = $first;
    is((threads(-1))[0], 1, 'one on a CPU of its own');
};

subtest 'the kernel is asked not to wake it late to save power' => sub {
    $is_preloadable or plan skip_all => $SKIPPED;
    is_result('a kernel that refuses', with_fault('none', SECONDS, 0));
    like(slurp("$work/calls"), qr/slack=1\z/, 'it was asked');
};

subtest 'it takes no turns, because times of a few turns are no tail' => sub {
    pipe my $ready, my $to_ready or die "cannot make a pipe: $!\n";
    pipe my $turns, my $to_turns or die "cannot make a pipe: $!\n";
    fcntl $_, F_SETFD, 0 for $to_ready, $turns;
    local @ENV{qw(TS_READY TS_TURN)} = (fileno $to_ready, fileno $turns);
    is_result('with turns', program('wakeup', SECONDS, 0));
    is(sysread($ready, my $byte, 1), 1,   'it is ready');
    is($byte,                        'r', 'and has no turns');
};

subtest 'what it cannot be told is a usage error' => sub {
    is_usage("'@$_'", program('wakeup', @$_))
        for [], [SECONDS], [ 'x', 0 ], (map { [ SECONDS, $_ ] } '', -2, 65_537, '1x', '0.5'),
        (map { [ SECONDS, -1, $_ ] } '', 0, -1, '1x', 1_000_001), [ SECONDS, 0, 1, 1 ];
};

subtest 'a window without a time is no result' => sub {
    is_error('short', 'no time of the schedule lies in so short a window$', program('wakeup', '0.00005', 0));
};

subtest 'a time that was not noted is missed' => sub {
    my $file = "$Sources::dir/src/modern/wakeup.c";
    my $text = slurp($file);
    $text =~ s/^\t\tnote\(due\);$/\t\tif (due - b->start < 10000000)\n\t\t\tnote(due);/m
        or die "the source has changed\n";
    Sources::spew($file, $text);
    my ($status, undef, $said) = Sources::build('wakeup');
    $status == 0 or plan skip_all => "it cannot be built here: $said";
    is_error(
        'one',
        'wrong result: \d+ times were noted, of a schedule of \d+$',
        run("$Sources::dir/pgms/wakeup", SECONDS, 0)
    );
};

done_testing();
