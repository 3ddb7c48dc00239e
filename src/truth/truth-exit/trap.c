// SPDX-License-Identifier: GPL-2.0-or-later
/* trap.c - trap.h for x86-64; arm64 has nothing that a program may do and only a hypervisor answers. */
#include "truth/truth-exit/trap.h"

#include "bench.h"
#include "truth/shared/alive.h"

#if defined(__x86_64__)
enum { REPEATS = 100, FEWEST = 10 };

static void cpuid(void)
{
	uint32_t leaf = 0, b, c = 0, d;

	__asm__ volatile("cpuid" : "+a"(leaf), "=b"(b), "+c"(c), "=d"(d));
}

static void rdtsc(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
}

static double least(void (*instruction)(void), int64_t ns)
{
	const int64_t end = bench_clock() + ns;
	int64_t best = INT64_MAX;

	for (int tries = 0; tries < FEWEST || bench_clock() < end; tries++) {
		alive_or_leave();
		const int64_t begin = bench_clock();
		int64_t took;
		for (int i = 0; i < REPEATS; i++)
			instruction();
		took = bench_clock() - begin;
		best = took < best ? took : best;
	}
	return (double)best / REPEATS;
}

double trap_cpuid(int64_t ns)
{
	return least(cpuid, ns);
}

double trap_rdtsc(int64_t ns)
{
	return least(rdtsc, ns);
}
#else
double trap_cpuid(int64_t ns)
{
	(void)ns;
	return 0;
}

double trap_rdtsc(int64_t ns)
{
	(void)ns;
	return 0;
}
#endif
