// SPDX-License-Identifier: GPL-2.0-or-later
/* load.c - see load.h. */
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "modern/wakeup/load.h"
#include "channel.h"
#include "mix.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

enum { BETWEEN_LOOKS = 1000 };
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
	cpu_set_t set;

	return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : cpus_of_system();
}
#else
static long usable_cpus(void)
{
	return cpus_of_system();
}
#endif

long load_threads(long wanted, long copies)
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

void load_start(long threads)
{
	for (; started < threads; started++)
		if ((errno = pthread_create(&thread[started], NULL, compute, NULL)) != 0)
			bench_fail("cannot make a thread");
}

void load_end(void)
{
	atomic_store(&over, true);
	while (started > 0)
		if ((errno = pthread_join(thread[--started], NULL)) != 0)
			bench_fail("cannot wait for a thread");
}
