// SPDX-License-Identifier: GPL-2.0-or-later
/* line.c - line.h with a thread for each side. */
#include "truth/shared/line.h"

#include "bench.h"
#include "pin.h"
#include "spread.h"
#include "truth/shared/chain.h"

#include <pthread.h>
#include <stdatomic.h>

/* Batches of few trips, of which a pause spoils one; a waiting thread looks at the clock now and then. */
enum { TRIPS = 32, FEWEST_BATCHES = 20, SPINS = 1024 };

struct line {
	_Alignas(128) _Atomic uint64_t number;
	_Alignas(128) atomic_bool over;
	int cpu, other;
	enum line_way way;
	int64_t end;
	bool pinned[2];
	struct spread batches;
};

static void put(struct line *l, uint64_t number)
{
	if (l->way == LINE_STORES)
		atomic_store_explicit(&l->number, number, memory_order_release);
	else if (atomic_exchange(&l->number, number) != number - 1)
		bench_wrong("two threads wrote into a line simultaneously");
}

static bool wait_for(struct line *l, uint64_t number)
{
	for (int spins = 1;; spins++) {
		if (atomic_load_explicit(&l->number, memory_order_acquire) == number)
			return true;
		if (spins % SPINS != 0)
			continue;
		if (atomic_load(&l->over) || bench_clock() >= l->end)
			break;
	}
	atomic_store(&l->over, true);
	return false;
}

static void *answer(void *with)
{
	struct line *const l = with;

	l->pinned[1] = pin_to_cpu(l->other) == 0;
	for (uint64_t number = 1; wait_for(l, number); number += 2)
		put(l, number + 1);
	return NULL;
}

/* The first batch waits for the other thread to be there. */
static void *ask(void *with)
{
	struct line *const l = with;
	uint64_t number = 1;
	bool warm = false;

	l->pinned[0] = pin_to_cpu(l->cpu) == 0;
	while (bench_clock() < l->end) {
		alive_or_leave();
		const int64_t begin = bench_clock();
		for (int i = 0; i < TRIPS; i++, number += 2) {
			put(l, number);
			if (!wait_for(l, number + 1))
				return NULL;
		}
		if (warm)
			spread_add(&l->batches, (uint64_t)(bench_clock() - begin));
		warm = true;
	}
	atomic_store(&l->over, true);
	return NULL;
}

double line_one_way(int cpu, int other, enum line_way way, int64_t ns)
{
	static struct line l;
	pthread_t asks, answers;

	l = (struct line){ .cpu = cpu, .other = other, .way = way, .end = bench_clock() + ns };
	if (pthread_create(&asks, NULL, ask, &l) != 0)
		bench_fail("cannot start a thread");
	if (pthread_create(&answers, NULL, answer, &l) != 0)
		bench_fail("cannot start a second thread");
	pthread_join(asks, NULL);
	pthread_join(answers, NULL);
	if (!l.pinned[0] || !l.pinned[1] || l.batches.count < FEWEST_BATCHES)
		return 0;
	return spread_at(&l.batches, 0.5) / (2.0 * TRIPS);
}
