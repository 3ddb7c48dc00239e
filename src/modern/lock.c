// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lock - one operation locks the mutex that all threads share, adds 1 to 16 counters on two cache
 * lines, unlocks it, and then works about 100 ns without it. One thread shows what a free mutex
 * costs, several what waiting for one does, and may do less than one.
 */
#include "modern/shared/team.h"

#include <inttypes.h>

enum { COUNTERS = 16, STEPS = 64 };
/* A compiler that knew these could make one step of many. */
static volatile uint64_t step_factor = UINT64_C(6364136223846793005);
static volatile uint64_t step_added = UINT64_C(1442695040888963407);

static struct {
	_Alignas(TEAM_LINE) pthread_mutex_t lock;
	_Alignas(TEAM_LINE) uint64_t counter[COUNTERS];
} shared = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Each step waits for the one before it. */
static uint64_t stepped(uint64_t x, uint64_t factor, uint64_t added)
{
	for (int i = 0; i < STEPS; i++)
		x = x * factor + added;
	return x;
}

/* Works the same out quickly: twice a step is a step too, with another factor and addend. */
static uint64_t leapt(uint64_t x, uint64_t factor, uint64_t added, uint64_t steps)
{
	for (; steps > 0; steps >>= 1) {
		if (steps & 1)
			x = x * factor + added;
		added += added * factor;
		factor *= factor;
	}
	return x;
}

static void work(struct member *m)
{
	const uint64_t first = (uint64_t)m->number, factor = step_factor, added = step_added;
	uint64_t x = first;

	team_ready();
	while (team_goes_on()) {
		if (pthread_mutex_lock(&shared.lock) != 0)
			bench_fail("cannot lock a mutex");
		for (int i = 0; i < COUNTERS; i++)
			shared.counter[i]++;
		pthread_mutex_unlock(&shared.lock);
		x = stepped(x, factor, added);
		team_count(m);
	}
	if (x != leapt(first, factor, added, STEPS * m->count))
		bench_wrong("thread %d did other work than %" PRIu64 " times %d steps", m->number + 1,
			m->count, STEPS);
}

static void prove(uint64_t sum)
{
	for (int i = 0; i < COUNTERS; i++)
		if (shared.counter[i] != sum)
			bench_wrong("counter %d is %" PRIu64 " after %" PRIu64 " sections", i + 1,
				shared.counter[i], sum);
}

/* Returns the share of the work of the busiest member that the least busy one did. */
static double fairness(const struct member *team, int members)
{
	uint64_t least = UINT64_MAX, most = 1;

	for (int i = 0; i < members; i++) {
		least = team[i].count < least ? team[i].count : least;
		most = team[i].count > most ? team[i].count : most;
	}
	return (double)least / (double)most;
}

int main(int argc, char **argv)
{
	struct bench b;
	const int members = team_begin(&b, argc, argv);
	struct member *team = team_make(members);

	team_measure(&b, team, members, work, false);
	prove(team_sum(team, members));
	channel_say("FIGURE|fairness|%.6g", fairness(team, members));
	bench_end(&b);
}
