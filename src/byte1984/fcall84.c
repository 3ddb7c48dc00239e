// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fcall84 - one unit is 50,000 calls of a function that takes and returns one number, minus the
 * same loop with an assignment in place of the call. The difference is the overhead of a call. It
 * can be too small to be measured; then the result is about zero or negative.
 */
#include "bench.h"

#include <stdlib.h>
#include <time.h>

/*
 * The differences are kept until the window is over; in a longer window the newest replace the
 * oldest.
 */
enum { CALLS = 50000, KEPT = 16384 };

/*
 * This costs nothing, but the value must be computed by here, and the compiler knows nothing about
 * it afterwards.
 */
#define KEEP(value) __asm__ volatile("" : "+r"(value))

__attribute__((noinline)) static unsigned same(unsigned value)
{
	KEEP(value);
	return value;
}

__attribute__((noinline)) static unsigned with_calls(void)
{
	unsigned last = 0;

	for (unsigned i = 0; i < CALLS; i++) {
		KEEP(i);
		last = same(i);
		KEEP(last);
	}
	return last;
}

__attribute__((noinline)) static unsigned with_assignments(void)
{
	unsigned last = 0;

	for (unsigned i = 0; i < CALLS; i++) {
		KEEP(i);
		last = i;
		KEEP(last);
	}
	return last;
}

static int by_size(const void *one, const void *other)
{
	const int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;

	return (a > b) - (a < b);
}

/*
 * The median is used because a process that is interrupted within one of the loops has one odd
 * difference.
 */
static double middle(int64_t *values, size_t n)
{
	qsort(values, n, sizeof *values, by_size);
	return (double)(values[(n - 1) / 2] + values[n / 2]) / 2;
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/*
 * The median does not contain the time that a copy waits for a CPU shared with other copies. The
 * ratio of elapsed to CPU time says how much longer the copy takes because of that.
 */
static double with_waiting(const struct bench *b, double seconds, double cpu)
{
	return seconds * ((double)(b->now - b->start) / 1e9) / cpu;
}

int main(int argc, char **argv)
{
	static int64_t difference[KEPT];
	unsigned called = CALLS - 1, assigned = CALLS - 1;
	int64_t before, between;
	double cpu = 0;
	struct bench b;
	size_t n = 0;

	bench_begin(&b, argc, argv, NULL);
	b.unit = BENCH_SECONDS;
	while (bench_next(&b)) {
		if (n == 0)
			cpu = cpu_seconds();
		before = bench_clock();
		called = with_calls();
		between = bench_clock();
		assigned = with_assignments();
		difference[n++ % KEPT] = between - before - (bench_clock() - between);
	}
	cpu = cpu_seconds() - cpu;
	if (called != CALLS - 1 || assigned != CALLS - 1)
		bench_wrong("the loops ended with %u and %u, not with %d", called, assigned, CALLS - 1);
	bench_end_figure(&b, with_waiting(&b, middle(difference, n < KEPT ? n : KEPT) / 1e9, cpu));
}
