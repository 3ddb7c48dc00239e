// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bounce - one operation is a round trip of a cache line between two cores: each side waits for the
 * other's number in it and stores the next one. Each pair of threads has a line and two cores of
 * its own. Nothing sleeps, so this is the hardware's part of every lock and queue.
 */
#include "modern/shared/team.h"

#include <inttypes.h>
#include <sched.h>
#include <unistd.h>

enum { PATIENCE = 1024 };	/* loads before a look whether there are more trips */
static const double NS = 1e9;

struct pair {
	_Alignas(TEAM_LINE) _Atomic uint64_t number;
	_Alignas(TEAM_LINE) atomic_bool ended;
};
static struct pair **pairs;
static bool crowded;	/* there are more threads than CPUs for them */

/*
 * True when the number is there, false when there will be none. Where threads of the team share a
 * CPU, the other side may not be running, and gets it. To other programs this leaves no CPU: the two
 * sides would hardly ever run at the same time again.
 */
static bool comes(struct pair *p, uint64_t wanted)
{
	for (unsigned loads = 1;; loads++) {
		const uint64_t number = atomic_load_explicit(&p->number, memory_order_acquire);
		if (number == wanted)
			return true;
		if (number != wanted - 1)
			bench_wrong("%" PRIu64 " stands where %" PRIu64 " should", number, wanted);
		if (loads % PATIENCE != 0)
			continue;
		if (atomic_load_explicit(&p->ended, memory_order_relaxed))
			return false;
		if (crowded)
			sched_yield();
	}
}

static void serve(struct member *m, struct pair *p)
{
	for (uint64_t number = 0; team_goes_on(); number += 2) {
		atomic_store_explicit(&p->number, number + 1, memory_order_release);
		comes(p, number + 2);
		team_count(m);
	}
	atomic_store(&p->ended, true);
}

static void give_back(struct pair *p)
{
	for (uint64_t number = 1; comes(p, number); number += 2)
		atomic_store_explicit(&p->number, number + 1, memory_order_release);
}

/* Memory is near to the CPU that first writes to it, so a pair makes its own. */
static void work(struct member *m)
{
	struct pair **p = &pairs[m->number / 2];

	if (m->number % 2 == 0)
		*p = team_memory(sizeof **p);
	team_ready();
	if (m->number % 2 == 0)
		serve(m, *p);
	else
		give_back(*p);
}

static void prove(const struct member *team, int members)
{
	for (int i = 0; i < members; i += 2)
		if (pairs[i / 2]->number != 2 * team[i].count)
			bench_wrong("pair %d ends at %" PRIu64 " after %" PRIu64 " trips", i / 2 + 1,
				pairs[i / 2]->number, team[i].count);
}

int main(int argc, char **argv)
{
	struct bench b;
	const int copies = team_begin(&b, argc, argv), members = copies < 2 ? 2 : copies / 2 * 2;
	const long cpus = bench_cpus() > 0 ? bench_cpus() : sysconf(_SC_NPROCESSORS_ONLN);
	struct member *team = team_make(members);

	crowded = members > cpus;
	if (cpus == 1)
		bench_skip("a line moves between two cores, and there is only one");
	pairs = team_memory(sizeof *pairs * (size_t)members / 2);
	team_measure(&b, team, members, work, bench_cpus() > 0);
	prove(team, members);
	channel_say("FIGURE|one_way|%.9g|s",
		(double)(b.now - b.start) / NS * (members / 2) / (2 * (double)(b.count - b.before)));
	bench_end(&b);
}
