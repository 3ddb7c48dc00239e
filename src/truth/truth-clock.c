// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * truth-clock - one operation is an exchange: two threads, on the first CPU and the last, which usually
 * are of different sockets where there are several, hand each other the time, and each sees whether its
 * own clock is behind what it was handed. With one CPU it is a reading of the clock. In the same seconds
 * it compares the rates of all clocks. It is no test of how fast a clock is read, and clocks that are all
 * wrong by the same part agree.
 */
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "bench.h"

#include "truth/shared/affinity.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

/*
 * The counter of the CPU that runs at a constant rate: the time stamp counter of x86, the virtual
 * counter of arm64. ticks_ordered waits until all that stands before it is done. Where there is none,
 * it returns 0.
 */
#if defined(__x86_64__)
static inline uint64_t ticks_ordered(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}
#elif defined(__aarch64__)
static inline uint64_t ticks_ordered(void)
{
	uint64_t ticks;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks) : : "memory");
	return ticks;
}
#else
static inline uint64_t ticks_ordered(void)
{
	return 0;
}
#endif

enum { TRIES = 64, PARTS = 10, READINGS = 200, SPINS = 2000 };
enum { MONOTONIC, RAW, REALTIME, CLOCKS };
#if defined(CLOCK_MONOTONIC_RAW)
static const clockid_t CLOCK[CLOCKS] = { CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_REALTIME };
static const bool HAS_RAW = true;
#else
static const clockid_t CLOCK[CLOCKS] = { CLOCK_MONOTONIC, CLOCK_MONOTONIC, CLOCK_REALTIME };
static const bool HAS_RAW = false;
#endif

/* All clocks at one moment; `within` is how long that took. */
struct moment {
	int64_t ns[CLOCKS], within;
	uint64_t ticks;
};

/* What one thread hands to the other. Turns are even for the first and odd for the second. */
static struct {
	atomic_uint_fast64_t turn;
	atomic_bool stop;
	int64_t ns;
	uint64_t ticks;
} line;

/* What a thread saw of clocks that were behind what it was handed. */
struct steps {
	uint64_t clock, ticks, largest;
};

static int64_t read_clock(clockid_t clock)
{
	struct timespec t;

	if (clock_gettime(clock, &t) == -1)
		bench_fail("cannot read clock %d", (int)clock);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The least disturbed of many moments. The other clocks are read between two readings of the first. */
static struct moment look(void)
{
	struct moment best = { .within = INT64_MAX };

	for (int i = 0; i < TRIES; i++) {
		struct moment m;
		int64_t after;

		m.ns[MONOTONIC] = read_clock(CLOCK[MONOTONIC]);
		m.ns[RAW] = read_clock(CLOCK[RAW]);
		m.ticks = ticks_ordered();
		m.ns[REALTIME] = read_clock(CLOCK[REALTIME]);
		after = read_clock(CLOCK[MONOTONIC]);
		m.within = after - m.ns[MONOTONIC];
		m.ns[MONOTONIC] += m.within / 2;
		if (m.within < best.within)
			best = m;
	}
	return best;
}

static void check_step(struct steps *seen)
{
	int64_t ns = read_clock(CLOCK[MONOTONIC]);
	uint64_t ticks = ticks_ordered();

	if (ns < line.ns) {
		seen->clock++;
		if ((uint64_t)(line.ns - ns) > seen->largest)
			seen->largest = (uint64_t)(line.ns - ns);
	}
	if (ticks < line.ticks)
		seen->ticks++;
}

/* Takes the line when it is this thread's turn; false where the other has ended. */
static bool wait_for(uint64_t parity)
{
	for (int spins = 0; (atomic_load_explicit(&line.turn, memory_order_acquire) & 1) != parity;) {
		if (atomic_load_explicit(&line.stop, memory_order_relaxed))
			return false;
		if (++spins % SPINS == 0)
			sched_yield();
	}
	return true;
}

static void write_line(void)
{
	line.ns = read_clock(CLOCK[MONOTONIC]);
	line.ticks = ticks_ordered();
}

static void *partner(void *steps)
{
	affinity_take(affinity_count() - 1);
	while (wait_for(1)) {
		check_step(steps);
		write_line();
		atomic_fetch_add_explicit(&line.turn, 1, memory_order_release);
	}
	return NULL;
}

static void read_by_libc(struct timespec *t)
{
	clock_gettime(CLOCK_MONOTONIC, t);
}

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

/* New systems of 32 bits have only a call with times of 64 bits, in another form. */
#if defined(SYS_clock_gettime)
static const bool HAS_CALL = true;
static void read_by_call(struct timespec *t)
{
	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, t);
}
#else
static const bool HAS_CALL = false;
static void read_by_call(struct timespec *t)
{
	(void)t;
}
#endif

/* The least time of a reading in nanoseconds. */
static double cost(void (*read_it)(struct timespec *t))
{
	int64_t least = INT64_MAX;

	for (int part = 0; part < PARTS; part++) {
		struct timespec t;
		int64_t before = bench_clock(), took;

		for (int i = 0; i < READINGS; i++)
			read_it(&t);
		took = bench_clock() - before;
		if (took < least)
			least = took;
	}
	return (double)least / READINGS;
}

/* How fast another clock went, as a part of the monotonic one. */
static double rate(const struct moment *from, const struct moment *to, int clock)
{
	int64_t usual = to->ns[MONOTONIC] - from->ns[MONOTONIC];
	int64_t its = to->ns[clock] - from->ns[clock];

	return its > 0 ? (double)its / (double)usual : 0;
}

static void report(const struct moment *from, const struct moment *to, const struct steps *seen)
{
	double seconds = (double)(to->ns[MONOTONIC] - from->ns[MONOTONIC]) / 1e9;

	channel_say("FIGURE|seconds|%.6f", seconds);
	channel_say("FIGURE|blur|%.4f", (double)(from->within + to->within) / 2 / seconds / 1e3);
	if (HAS_RAW)
		channel_say("FIGURE|raw|%.10f", rate(from, to, RAW));
	channel_say("FIGURE|real|%.10f", rate(from, to, REALTIME));
	if (to->ticks > from->ticks)
		channel_say("FIGURE|ticks|%.1f", (double)(to->ticks - from->ticks) / seconds);
	channel_say("FIGURE|clock_back|%" PRIu64, seen[0].clock + seen[1].clock);
	channel_say("FIGURE|ticks_back|%" PRIu64, seen[0].ticks + seen[1].ticks);
	channel_say("FIGURE|largest|%" PRIu64,
		seen[0].largest > seen[1].largest ? seen[0].largest : seen[1].largest);
	channel_say("FIGURE|libc|%.2f", cost(read_by_libc));
	if (HAS_CALL)
		channel_say("FIGURE|call|%.2f", cost(read_by_call));
}

int main(int argc, char **argv)
{
	struct steps seen[2] = { { 0 } };
	struct moment from, to;
	struct bench b;
	pthread_t thread;
	uint64_t count = 0;
	bool pair;

	bench_begin(&b, argc, argv, NULL);
	pair = affinity_count() > 1 && affinity_take(0);
	write_line();
	if (pair && pthread_create(&thread, NULL, partner, &seen[1]) != 0)
		bench_fail("cannot start a thread");
	bench_start(&b);
	from = look();
	do {
		write_line();
		if (pair) {
			atomic_fetch_add_explicit(&line.turn, 1, memory_order_release);
			wait_for(0);
		}
		check_step(&seen[0]);
	} while (bench_tick(&b, ++count));
	to = look();
	atomic_store(&line.stop, true);
	if (pair && pthread_join(thread, NULL) != 0)
		bench_fail("cannot join a thread");
	channel_say("FIGURE|exchanges|%" PRIu64, pair ? 2 * count : 0);
	report(&from, &to, seen);
	bench_end(&b);
}
