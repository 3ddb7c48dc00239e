// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * truth-stamina - one operation is a block of dependent multiplications, by one of as many threads as there
 * are CPUs. It touches no memory and makes no system call, so that only the speed of the CPUs counts, and
 * whether that lasts. It is no test of how fast a CPU computes: a chain uses a small part of it.
 */
#include "bench.h"
#include "truth/shared/affinity.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { STEPS = 20000, LINE = 128 };
static const uint64_t TIMES = 6364136223846793005u, PLUS = 1442695040888963407u;

/* What a thread has done; each has cache lines of its own. */
struct worker {
	_Alignas(LINE) atomic_uint_fast64_t blocks;
	uint64_t value;
	pthread_t thread;
};

static atomic_bool go, stop;

static uint64_t chain(uint64_t value)
{
	for (int i = 0; i < STEPS; i++)
		value = value * TIMES + PLUS;
	return value;
}

/* What the chain gives for zero after so many steps, by doubling. */
static uint64_t expected(uint64_t steps)
{
	uint64_t times = TIMES, plus = PLUS, value = 0;

	for (; steps > 0; steps /= 2) {
		if (steps % 2 == 1)
			value = value * times + plus;
		plus = plus * (times + 1);
		times = times * times;
	}
	return value;
}

static void work(struct worker *w)
{
	w->value = chain(w->value);
	atomic_fetch_add_explicit(&w->blocks, 1, memory_order_relaxed);
}

static void *run_worker(void *worker)
{
	while (!atomic_load(&go) && !atomic_load(&stop))
		continue;
	while (!atomic_load_explicit(&stop, memory_order_relaxed))
		work(worker);
	return NULL;
}

static uint64_t total(struct worker *w, int workers)
{
	uint64_t blocks = 0;

	for (int i = 0; i < workers; i++)
		blocks += atomic_load_explicit(&w[i].blocks, memory_order_relaxed);
	return blocks;
}

int main(int argc, char **argv)
{
	struct worker *w;
	struct bench b;
	int workers;

	bench_begin(&b, argc, argv, NULL);
	workers = affinity_count();
	w = aligned_alloc(LINE, (size_t)workers * sizeof *w);
	if (!w)
		bench_fail("no memory for %d threads", workers);
	for (int i = 0; i < workers; i++)
		w[i] = (struct worker){ 0 };
	for (int i = 1; i < workers; i++)
		if (pthread_create(&w[i].thread, NULL, run_worker, &w[i]) != 0)
			bench_fail("cannot start a thread");
	bench_start(&b);
	atomic_store(&go, true);
	do
		work(&w[0]);
	while (bench_tick(&b, total(w, workers)));
	atomic_store(&stop, true);
	for (int i = 1; i < workers; i++)
		if (pthread_join(w[i].thread, NULL) != 0)
			bench_fail("cannot join a thread");
	for (int i = 0; i < workers; i++)
		if (w[i].value != expected(STEPS * atomic_load(&w[i].blocks)))
			bench_wrong("a chain of multiplications has a wrong end");
	channel_say("FIGURE|threads|%d", workers);
	bench_end(&b);
}
