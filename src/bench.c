// SPDX-License-Identifier: GPL-2.0-or-later
/* bench.c - arguments, gate, clock and exit of every measured program; bench.h is the manual. */
#include "bench.h"
#include "perf.h"
#include "pin.h"
#include "turn.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { LOOKS = 100, MAX_GROWTH = 4, MAX_SECONDS = 1000000 };
static const double NS = 1e9;

/* State of the whole process; struct bench holds that of one measurement. */
static struct {
	const char *program, *usage;
	int ready, gate;
	int cpu, *cpus, cpu_count;	/* a single CPU needs no memory */
	double warm;		/* seconds of the warm-up that is left */
} run = { .ready = -1, .gate = -1 };

/*
 * Minor and major page faults. They are not in struct bench, whose size moves what is on the stack of each
 * program.
 */
static struct {
	double before[2], after[2];
} faults;

int64_t bench_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static double as_seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static void look_at_usage(double used[4], double of_faults[2])
{
	struct rusage self, children;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	used[0] = as_seconds(self.ru_utime) + as_seconds(children.ru_utime);
	used[1] = as_seconds(self.ru_stime) + as_seconds(children.ru_stime);
	used[2] = (double)self.ru_nivcsw + (double)children.ru_nivcsw;
	used[3] = (double)self.ru_nvcsw + (double)children.ru_nvcsw;
	of_faults[0] = (double)self.ru_minflt + (double)children.ru_minflt;
	of_faults[1] = (double)self.ru_majflt + (double)children.ru_majflt;
}

_Noreturn void bench_usage(void)
{
	fprintf(stderr, "usage: %s %s\n", run.program, run.usage ? run.usage : "SECONDS");
	exit(2);
}

/* Only digits and a point are allowed: strtod alone would take "inf", "0x1p3" and "1e9". */
static double seconds_from(const char *text)
{
	char *end;
	double seconds;

	if (text[strspn(text, "0123456789.")] != '\0')
		bench_usage();
	seconds = strtod(text, &end);
	if (end == text || *end != '\0' || seconds <= 0 || seconds > MAX_SECONDS)
		bench_usage();
	return seconds;
}

long bench_number(const char *text, const char *what, long min, long max)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || value < min || value > max) {
		fprintf(stderr, "%s: %s is '%s', allowed are %ld to %ld\n", run.program, what, text, min, max);
		bench_usage();
	}
	return value;
}

/* Returns whether the text begins with the number of a CPU, and where it ends. */
static bool read_cpu(const char *text, char **end, int *cpu)
{
	const long number = strtol(text, end, 10);

	*cpu = (int)number;
	return *text >= '0' && *text <= '9' && number <= INT_MAX;
}

static void read_cpus(void)
{
	const char *cpus = getenv("TS_CPUS"), *rest = cpus;
	size_t commas = 0;
	char *end;

	for (const char *c = cpus; c && *c; c++)
		commas += *c == ',';
	run.cpu_count = 0;
	run.cpus = commas > 0 ? malloc((commas + 1) * sizeof *run.cpus) : &run.cpu;
	if (!run.cpus)
		bench_fail("there is no memory for %zu CPUs", commas + 1);
	while (rest && read_cpu(rest, &end, &run.cpus[run.cpu_count])) {
		run.cpu_count++;
		if (*end == '\0')
			return;
		if (*end != ',')
			break;
		rest = end + 1;
	}
	if (cpus)
		bench_fail("TS_CPUS is '%.20s', which is not a list of CPUs", cpus);
}

/* Turns have warm-ups of their own. */
static void read_warm(void)
{
	const char *text = turn_is_wanted() ? NULL : getenv("TS_WARM");

	run.warm = text ? strtod(text, NULL) : 0;
	if (!(run.warm >= 0 && run.warm <= MAX_SECONDS))
		bench_fail("TS_WARM is '%.20s', which is not a number of seconds", text);
}

void bench_begin_for(struct bench *b, const char *program, const char *seconds, const char *usage)
{
	run.program = program;
	run.usage = usage;
	*b = (struct bench){ .left = 1, .unit = "lps", .timebase = 1, .amount = 1.0 };
	b->seconds = seconds_from(seconds);
	channel_open();
	run.ready = channel_descriptor("TS_READY");
	run.gate = channel_descriptor("TS_GATE");
	turn_open();
	read_cpus();
	read_warm();
	bench_pin(0);
	errno = 0;
}

void bench_begin(struct bench *b, int argc, char **argv, const char *usage)
{
	run.program = argc > 0 ? argv[0] : "benchmark";
	run.usage = usage;
	if (argc < 2 || (argc > 2 && !usage))
		bench_usage();
	bench_begin_for(b, argv[0], argv[1], usage);
}

int bench_cpus(void)
{
	return run.cpu_count;
}

void bench_pin_to(int cpu)
{
	if (pin_to_cpu(cpu) == 0)
		return;
	if (errno == ENOSYS)
		bench_skip("this system has no call to choose a CPU");
	/* A filter of system calls says so. A CPU that this process may not use is another error. */
	if (errno == EPERM)
		bench_skip("a filter of system calls forbids to choose a CPU");
	bench_fail("cannot move to CPU %d", cpu);
}

void bench_pin(int which)
{
	if (run.cpu_count > 0)
		bench_pin_to(run.cpus[which % run.cpu_count]);
}

/*
 * Run is told whether this program knows of its turns. The variables are removed too: a program that
 * replaces itself must not look for descriptors that are closed.
 */
static void pass_gate(void)
{
	char byte = turn_is_wanted() ? 't' : 'r';

	if (run.ready != -1) {
		if (write(run.ready, &byte, 1) != 1)
			bench_fail("cannot report that the set-up is done");
		close(run.ready);
		unsetenv("TS_READY");
	}
	if (run.gate != -1) {
		while (read(run.gate, &byte, 1) == -1 && errno == EINTR)
			continue;
		close(run.gate);
		unsetenv("TS_GATE");
	}
	if (channel_is_dead())
		channel_leave(1);
}

/*
 * The process that started this one may have blocked signals or ignored the end of its children,
 * and both outlive an exec.
 */
static void normal_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGCHLD, SIG_DFL);
}

/*
 * The time of other turns is no time of this program, so its clock stands still then: the start
 * moves.
 */
static bool take_turn(struct bench *b)
{
	const int64_t before = b->now, length = turn_wait();

	b->now = bench_clock();
	b->start += b->now - before;
	b->stop = b->now + length;
	if (length > 0)
		turn_begin(b->now, b->count);
	return length > 0;
}

/* Operations count from here on, or the warm-up begins. */
static void start_clock(struct bench *b)
{
	b->before = b->count;
	look_at_usage(b->used, faults.before);
	if (run.warm == 0)
		perf_switch(true);
	b->start = b->now = bench_clock();
	b->stop = b->start + (int64_t)((run.warm > 0 ? run.warm : b->seconds) * NS);
	if (turn_is_wanted())
		take_turn(b);
	if (run.warm == 0)
		channel_start(b->start, b->stop - b->start);
}

/* A program that replaces itself knows by the variable that it is still warming up. */
static bool warm_up(struct bench *b)
{
	if (b->now >= b->stop) {
		run.warm = 0;
		unsetenv("TS_WARM");
		start_clock(b);
	}
	return true;
}

void bench_start(struct bench *b)
{
	normal_signals();
	if (b->unequal)
		turn_refuse();
	pass_gate();
	errno = 0;
	start_clock(b);
	/*
	 * With more copies than CPUs, the others must be able to start their clocks before this
	 * copy has used up its turn.
	 */
	if (run.gate != -1)
		sched_yield();
}

bool bench_tick(struct bench *b, uint64_t count)
{
	b->count = count;
	b->now = bench_clock();
	if (channel_is_dead())
		channel_leave(1);
	if (run.warm > 0)
		return warm_up(b);
	channel_slice(b->now, count - b->before);
	if (turn_is_taken())
		turn_note(b->now, count);
	if (b->now < b->stop)
		return true;
	perf_switch(false);
	if (!turn_is_taken())
		return false;
	turn_end();
	return take_turn(b);
}

/*
 * A batch is as many operations as fit in a hundredth of the run, or in the time that is left of
 * it.
 */
static uint64_t next_batch(const struct bench *b)
{
	const double per_ns = (double)(b->count - b->before) / (double)(b->now - b->start + 1);
	const double look = turn_is_wanted() ? (double)turn_look() : b->seconds * NS / LOOKS;
	const double left = (double)(b->stop - b->now);
	const double wanted = per_ns * (left < look ? left : look) + 1;
	const double most = (double)b->batch * MAX_GROWTH;

	return b->count == b->before ? 1 : (uint64_t)(wanted < most ? wanted : most);
}

bool bench_more(struct bench *b)
{
	if (b->start == 0)
		bench_start(b);
	else if (!bench_tick(b, b->count + b->batch))
		return false;
	b->batch = b->left = next_batch(b);
	return true;
}

void bench_stop(struct bench *b)
{
	perf_switch(false);
	look_at_usage(b->after, faults.after);
	b->stopped = true;
}

static void say_times(struct bench *b, double seconds, int decimals)
{
	if (!b->stopped)
		bench_stop(b);
	channel_say("TIME|%.*f", decimals, seconds);
	channel_say("CPU|%.6f|%.6f", b->after[0] - b->used[0], b->after[1] - b->used[1]);
	channel_say("PREEMPTED|%.0f", b->after[2] - b->used[2]);
	channel_say("SLEPT|%.0f", b->after[3] - b->used[3]);
	channel_say("FAULTS|%.0f|%.0f", faults.after[0] - faults.before[0], faults.after[1] - faults.before[1]);
	perf_say();
}

_Noreturn void bench_end(struct bench *b)
{
	const double seconds = (double)(b->now - b->start) / NS;
	const uint64_t count = b->count - b->before;

	if (count == 0)
		bench_fail("no operation was completed");
	channel_last_slice(b->now, count);
	if (b->timebase == 0)
		channel_say("COUNT|%.9g|0|%s", (double)count * b->amount / seconds, b->unit);
	else
		channel_say("COUNT|%" PRIu64 "|%d|%s", count, b->timebase, b->unit);
	say_times(b, seconds, 6);
	exit(0);
}

/*
 * Nine digits are needed because the difference of two loops may be a millionth of the time of
 * either.
 */
_Noreturn void bench_end_figure(struct bench *b, double figure)
{
	channel_last_slice(b->now, b->count);
	/* What a program works out by itself is not what its turns counted. */
	if (turn_is_wanted())
		channel_say("TURNS|0");
	channel_say("COUNT|%.9g|0|%s", figure, b->unit);
	say_times(b, (double)(b->now - b->start) / NS, 6);
	exit(0);
}

_Noreturn void bench_end_rate(struct bench *b, double rate, double seconds)
{
	channel_last_slice(b->now, b->count);
	channel_say("COUNT|%.3f|0|%s", rate, b->unit);
	say_times(b, seconds, 3);
	exit(0);
}

const char *bench_save(const struct bench *b, char text[BENCH_STATE])
{
	int used;

	channel_keep();
	used = snprintf(text, BENCH_STATE, "%" PRIu64 ",%" PRIu64 ",%" PRId64 ",%" PRId64 ",%" PRId64, b->count,
		b->before, b->start, b->stop, channel_last_time());
	used += snprintf(text + used, BENCH_STATE - (size_t)used, ",%.6f,%.6f,%.0f,%.0f,%.0f,%.0f", b->used[0],
		b->used[1], b->used[2], b->used[3], faults.before[0], faults.before[1]);
	turn_save(text + used, BENCH_STATE - (size_t)used);
	return text;
}

void bench_load(struct bench *b, const char *text)
{
	int64_t last_slice;
	int used = 0;

	if (sscanf(text, "%" SCNu64 ",%" SCNu64 ",%" SCNd64 ",%" SCNd64 ",%" SCNd64 ",%lf,%lf,%lf,%lf,%lf,%lf%n",
			&b->count, &b->before, &b->start, &b->stop, &last_slice, &b->used[0], &b->used[1], &b->used[2],
			&b->used[3], &faults.before[0], &faults.before[1], &used) != 11
			|| !turn_load(text + used))
		bench_usage();
	channel_resume(last_slice, b->stop - b->start);
}
