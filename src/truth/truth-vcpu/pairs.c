// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pairs.c - pairs.h: time is cut into slots of a millisecond, whose kinds of work take turns,
 * with the other CPU and without. The other thread starts before a slot and stops after it. A slot
 * counts when neither thread had a pause in it.
 */
#include "truth/truth-vcpu/pairs.h"

#include "bench.h"
#include "mix.h"
#include "pin.h"
#include "truth/shared/chain.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { SLOT = 1000000, LEAD = 100000, PAUSE = 20000, MOST = 400, KINDS = 2 * WORKS, FEWEST = 3 };
enum { LINES = 640, STEPS = 2000 };

struct slot {
	double speed;		/* pieces of work a nanosecond; 0: something paused it */
	int64_t begin, end;	/* in which the other thread worked without a pause */
};

struct side {
	int cpu;
	bool pinned;
	struct {
		_Alignas(64) uint32_t next;
	} line[LINES];
	struct slot slot[MOST];
};

static struct {
	int64_t begin;
	int slots;
	struct side side[2];
} both;

static volatile uint32_t sink;

/* A cycle through all lines in random order. */
static void link_lines(struct side *s)
{
	uint32_t order[LINES];
	uint64_t seed = 40;

	for (uint32_t i = 0; i < LINES; i++)
		order[i] = i;
	for (uint32_t i = LINES - 1; i > 0; i--) {
		const uint32_t other = (uint32_t)(mix_next(&seed) % (i + 1)), kept = order[i];
		order[i] = order[other];
		order[other] = kept;
	}
	for (uint32_t i = 0; i < LINES; i++)
		s->line[order[i]].next = order[(i + 1) % LINES];
}

/* Each piece takes some microseconds. */
static void do_work(const struct side *s, enum work work)
{
	uint32_t at = 0;

	if (work == WORK_CHAIN) {
		chain_add(0, 1);
	} else if (work == WORK_WIDE) {
		chain_wide(1);
	} else {
		for (int i = 0; i < STEPS; i++)
			at = s->line[at].next;
		sink = at;
	}
}

static int64_t begin_of(int slot)
{
	return both.begin + (int64_t)slot * SLOT;
}

static void sleep_until(int64_t when)
{
	const int64_t left = when - bench_clock();
	const struct timespec t = { .tv_sec = 0, .tv_nsec = (long)left };

	if (left > 0 && left < 1000000000)
		nanosleep(&t, NULL);
}

/* Works until the time is up. Notes the speed, and the longest time without a pause. */
static void work_until(const struct side *s, struct slot *slot, enum work work, int64_t end)
{
	const int64_t begin = bench_clock();
	int64_t now = begin, last, whole = begin, usual = INT64_MAX;
	int pieces = 0;
	bool paused = false;

	while (now < end) {
		last = now;
		do_work(s, work);
		now = bench_clock();
		pieces++;
		usual = now - last < usual ? now - last : usual;
		if (now - last <= usual + PAUSE)
			continue;
		paused = true;
		if (last - whole > slot->end - slot->begin)
			*slot = (struct slot){ .begin = whole, .end = last };
		whole = now;
	}
	if (now - whole > slot->end - slot->begin)
		*slot = (struct slot){ .begin = whole, .end = now };
	slot->speed = paused || pieces == 0 ? 0 : pieces / (double)(now - begin);
}

/* The first side works in every slot, within its limits; the second in every other, beyond them. */
static void *run_side(void *with)
{
	struct side *const s = with;
	const bool first = s == &both.side[0];

	s->pinned = pin_to_cpu(s->cpu) == 0;
	link_lines(s);
	for (int i = 0; i < both.slots; i++) {
		const enum work work = (enum work)(i / 2 % WORKS);
		if (!first && i % 2 == 0)
			continue;
		sleep_until(begin_of(i) - (first ? 0 : LEAD));
		if (bench_clock() < begin_of(i) + LEAD)
			work_until(s, &s->slot[i], work, begin_of(i + 1) - (first ? LEAD : 0));
	}
	return NULL;
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median speed in the slots of a kind, or 0. */
static double speed(enum work work, bool with_other)
{
	double speeds[MOST];
	int count = 0;

	for (int i = 2 * (int)work + with_other; i < both.slots; i += KINDS) {
		const struct slot *mine = &both.side[0].slot[i], *other = &both.side[1].slot[i];
		const bool covered = other->begin <= mine->begin && other->end >= mine->end;
		if (mine->speed > 0 && (!with_other || covered))
			speeds[count++] = mine->speed;
	}
	if (count < FEWEST)
		return 0;
	qsort(speeds, (size_t)count, sizeof speeds[0], ascending);
	return speeds[count / 2];
}

struct kept pair_measure(int cpu, int other, int64_t ns)
{
	const int64_t wanted = ns / SLOT - 1;
	struct kept kept = { .part = { 0 } };
	pthread_t thread[2];

	both.slots = wanted < MOST ? (int)wanted : MOST;
	both.side[0] = (struct side){ .cpu = cpu };
	both.side[1] = (struct side){ .cpu = other };
	both.begin = bench_clock() + SLOT;
	for (int i = 0; i < 2; i++)
		if (pthread_create(&thread[i], NULL, run_side, &both.side[i]) != 0)
			bench_fail("cannot start a thread");
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	if (!both.side[0].pinned || !both.side[1].pinned)
		return kept;
	for (int work = 0; work < WORKS; work++) {
		const double single = speed((enum work)work, false), shared = speed((enum work)work, true);
		kept.part[work] = single > 0 ? shared / single : 0;
	}
	return kept;
}
