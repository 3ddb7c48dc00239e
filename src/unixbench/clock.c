// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * clock - one operation reads the monotonic clock in nanoseconds. If the clock can be read without
 * entering the kernel, this is a few instructions. With a slow clock source it is a system call,
 * and then everything that looks at the time is slow, including this harness.
 */
#include "bench.h"

#include <time.h>

static int64_t read_clock(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_MONOTONIC, &t) == -1)
		bench_fail("cannot read the clock");
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int main(int argc, char **argv)
{
	int64_t first, last, now;
	struct bench b;

	bench_begin(&b, argc, argv, NULL);
	first = last = read_clock();
	while (bench_next(&b)) {
		now = read_clock();
		if (now < last)
			bench_wrong("the clock went back by %lld ns", (long long)(last - now));
		last = now;
	}
	if (last == first)
		bench_wrong("the clock stands still");
	bench_end(&b);
}
