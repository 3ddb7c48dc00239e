// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * handoff - one operation is a round trip between two threads that sleep while the other works: one
 * wakes the other and waits for its answer. Each pair has two CPUs of its own, or one where there
 * are no more, since a scheduler that chose would decide the result. Nothing else is done, and no
 * time is spent in spinning.
 */
#include "modern/handoff/baton.h"
#include "spread.h"

#include <inttypes.h>
#include <string.h>

enum { HERE, THERE, END };	/* of the word: with the caller, with the other, no more trips */
enum { EVERY = 16 };		/* of so many trips one is timed */
static const double NS = 1e9;

struct pair {
	struct baton baton;
	_Alignas(TEAM_LINE) uint64_t answers;
	struct spread times;
};
static struct pair **pairs;

static void make_trip(struct pair *p)
{
	baton_give(&p->baton, THERE);
	baton_wait(&p->baton, THERE);
}

static void time_trip(struct pair *p)
{
	const int64_t begin = bench_clock();

	make_trip(p);
	spread_add(&p->times, (uint64_t)(bench_clock() - begin));
}

static void call(struct member *m, struct pair *p)
{
	uint64_t trips = 0;

	while (team_goes_on()) {
		if (trips % EVERY == 0)
			time_trip(p);
		else
			make_trip(p);
		if (p->answers != ++trips)
			bench_wrong("trip %" PRIu64 " has answer %" PRIu64, trips, p->answers);
		team_count(m);
	}
	baton_give(&p->baton, END);
}

static void answer(struct pair *p)
{
	while (baton_wait(&p->baton, HERE) != END) {
		p->answers++;
		baton_give(&p->baton, HERE);
	}
}

/* Memory is near to the CPU that first writes to it, so a pair makes its own. */
static void work(struct member *m)
{
	struct pair **p = &pairs[m->number / 2];

	if (m->number % 2 == 0) {
		*p = team_memory(sizeof **p);
		baton_make(&(*p)->baton);
	}
	team_ready();
	if (m->number % 2 == 0)
		call(m, *p);
	else
		answer(*p);
}

static void prove(const struct member *team, int members)
{
	for (int i = 0; i < members; i += 2)
		if (pairs[i / 2]->answers != team[i].count)
			bench_wrong("pair %d made %" PRIu64 " trips and has %" PRIu64 " answers", i / 2 + 1,
				team[i].count, pairs[i / 2]->answers);
}

static void say_times(int members)
{
	struct spread *all = &pairs[0]->times;

	for (int i = 1; i < members / 2; i++)
		spread_join(all, &pairs[i]->times);
	channel_say("FIGURE|p50|%.9g|s", spread_at(all, 0.5) / NS);
	channel_say("FIGURE|p99|%.9g|s", spread_at(all, 0.99) / NS);
}

int main(int argc, char **argv)
{
	struct bench b;
	const int copies = team_begin(&b, argc, argv), members = copies < 2 ? 2 : copies / 2 * 2;
	struct member *team = team_make(members);

	pairs = team_memory(sizeof *pairs * (size_t)members / 2);
	team_measure(&b, team, members, work, bench_cpus() > 0);
	prove(team, members);
	channel_say("HOW|%s%s", baton_means, bench_cpus() == 1 ? "-one-cpu" : "");
	say_times(members);
	bench_end(&b);
}
