// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wakeup - one operation sleeps until the next time of a fixed schedule, 100 to 500 us after the one
 * before, and notes how late it woke. A time that passed while it was late counts too, with its own
 * lateness. The result is p99, what 1 in 100 exceeds. No thread has the priority of a real-time task.
 * LOAD threads compute meanwhile, -1: one for each CPU that it may use, divided among the COPIES.
 */
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "bench.h"
#include "mix.h"
#include "modern/shared/tail.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif
#include <time.h>
#include <unistd.h>

enum { SHORTEST = 100000, STEPS = 400001, MOST_COPIES = 1000000 };
static const uint64_t SEED = 3;
static const int64_t SECOND = 1000000000;
static const double NS = 1e9;
static struct spread late;

/* --- threads that compute while the sleeper sleeps */

enum { BETWEEN_LOOKS = 1000, MOST_LOAD = 65536 };
static pthread_t thread[MOST_LOAD];
static long started;
static atomic_bool over;
/* What was computed has a reader, as far as the compiler knows. */
static _Atomic uint64_t sink;

static long cpus_of_system(void)
{
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	return cpus > 0 ? cpus : 1;
}

#if defined(__linux__)
static long usable_cpus(void)
{
	/* One cpu_set_t ends at CPU 1,023. */
	static cpu_set_t set[64];

	return sched_getaffinity(0, sizeof set, set) == 0 ? CPU_COUNT_S(sizeof set, set) : cpus_of_system();
}
#else
static long usable_cpus(void)
{
	return cpus_of_system();
}
#endif

/*
 * Returns how many threads that are: as many as wanted; for -1 one for each CPU that this process may
 * use, where the copies divide them among themselves.
 */
static long load_threads(long wanted, long copies)
{
	const long each = (usable_cpus() + copies - 1) / copies;

	return wanted != -1 ? wanted : each < MOST_LOAD ? each : MOST_LOAD;
}

static void *compute(void *unused)
{
	uint64_t state = 0, sum = 0;

	while (!atomic_load_explicit(&over, memory_order_relaxed))
		for (int i = 0; i < BETWEEN_LOOKS; i++)
			sum ^= mix_next(&state);
	atomic_store_explicit(&sink, sum, memory_order_relaxed);
	return unused;
}

static void load_start(long threads)
{
	for (; started < threads; started++)
		if ((errno = pthread_create(&thread[started], NULL, compute, NULL)) != 0)
			bench_fail("cannot make a thread");
}

/* Ends them all. */
static void load_end(void)
{
	atomic_store(&over, true);
	while (started > 0)
		if ((errno = pthread_join(thread[--started], NULL)) != 0)
			bench_fail("cannot wait for a thread");
}

/* --- sleeps that end at a time of bench_clock */

#if defined(__linux__)

/*
 * Asks the kernel not to wake this thread late to save power: usually a sleep may last 50 us longer.
 */
static void sleep_be_punctual(void)
{
	(void)prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}
#else
static void sleep_be_punctual(void)
{
}
#endif

#if defined(__APPLE__) || defined(__OpenBSD__)
static const char sleep_how[] = "nanosleep";

/* These systems only sleep for a time, so a thread that is stopped before its sleep wakes later. */
static void sleep_until(int64_t due)
{
	for (int64_t left; (left = due - bench_clock()) > 0;) {
		const struct timespec t = { (time_t)(left / SECOND), (long)(left % SECOND) };

		if (nanosleep(&t, NULL) == -1 && errno != EINTR)
			bench_fail("cannot sleep");
	}
}
#else
static const char sleep_how[] = "clock_nanosleep";

static void sleep_until(int64_t due)
{
	const struct timespec t = { (time_t)(due / SECOND), (long)(due % SECOND) };

	do {
		errno = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
	} while (errno == EINTR);
	if (errno != 0)
		bench_fail("cannot sleep");
}
#endif

/* --- the sleeper */

/* Returns the nanoseconds from a time of the schedule to the next. */
static int64_t step(uint64_t *state)
{
	return SHORTEST + (int64_t)(mix_next(state) % STEPS);
}

static void note(int64_t due)
{
	const int64_t now = bench_clock();

	if (now < due)
		bench_wrong("a sleeper woke %" PRId64 " ns early", due - now);
	spread_add(&late, (uint64_t)(now - due));
}

/* A time that has passed is noted as well, and there is no sleep before it. */
static void follow_schedule(struct bench *b)
{
	uint64_t state = SEED;

	for (int64_t due = b->start + step(&state); due < b->stop; due += step(&state)) {
		sleep_until(due);
		note(due);
		(void)bench_tick(b, late.count);
	}
}

/* Every time of the schedule that lay in the window was noted. */
static void prove(const struct bench *b)
{
	uint64_t state = SEED, times = 0;

	for (int64_t due = step(&state); due < b->stop - b->start; due += step(&state))
		times++;
	if (late.count != times)
		bench_wrong("%" PRIu64 " times were noted, of a schedule of %" PRIu64, late.count, times);
	if (times == 0)
		bench_fail("no time of the schedule lies in so short a window");
}

int main(int argc, char **argv)
{
	struct bench b;
	long load, copies;

	bench_begin(&b, argc, argv, "SECONDS LOAD [COPIES]");
	if (argc < 3 || argc > 4)
		bench_usage();
	load = bench_number(argv[2], "LOAD", -1, MOST_LOAD);
	copies = argc > 3 ? bench_number(argv[3], "COPIES", 1, MOST_COPIES) : 1;
	b.unit = BENCH_SECONDS;
	b.unequal = true;
	sleep_be_punctual();
	load_start(load_threads(load, copies));
	bench_start(&b);
	follow_schedule(&b);
	bench_stop(&b);
	load_end();
	prove(&b);
	channel_say("HOW|%s", sleep_how);
	tail_say(&late);
	bench_end_figure(&b, spread_at(&late, 0.99) / NS);
}
