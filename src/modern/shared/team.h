// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * team.h - a team: threads of one process, its members, that do the same work at once until the
 * time is up. A process has one team. Its program has no loop over bench_next:
 *
 *	static void work(struct member *m)
 *	{
 *		...set up, in the member's own memory...
 *		team_ready();
 *		while (team_goes_on()) {
 *			...one operation, with its check...
 *			team_count(m);
 *		}
 *	}
 *
 *	const int members = team_begin(&b, argc, argv);
 *	struct member *team = team_make(members);
 *	team_measure(&b, team, members, work, false);
 *	...prove the work...
 *	bench_end(&b);
 *
 * A team cannot take turns with another program, so that builds are compared in whole passes.
 */
#ifndef MODERN_TEAM_H
#define MODERN_TEAM_H
#include "bench.h"

#include <pthread.h>
#include <stdatomic.h>

/*
 * No two members write to one line. It has 128 bytes, because some processors fetch lines of 64 in
 * pairs.
 */
enum { TEAM_LINE = 128, TEAM_MOST = 65536 };

struct member {
	_Alignas(TEAM_LINE) _Atomic uint64_t count;	/* operations so far; only the member writes it */
	int number, of;		/* from 0, and how many there are */
	bool pinned;
	void (*work)(struct member *m);
	pthread_t thread;
};

/* A line of its own: all members read it, and nothing else there is written. */
extern struct team_flag {
	_Alignas(TEAM_LINE) atomic_bool stopped;
} team_flag;

static inline bool team_goes_on(void)
{
	return !atomic_load_explicit(&team_flag.stopped, memory_order_relaxed);
}

static inline void team_count(struct member *m)
{
	const uint64_t count = atomic_load_explicit(&m->count, memory_order_relaxed);

	atomic_store_explicit(&m->count, count + 1, memory_order_relaxed);
}

/* Calls bench_begin for a program with the arguments SECONDS COPIES, and returns the copies. */
int team_begin(struct bench *b, int argc, char **argv);
/* A member waits here, set up, for the start. */
void team_ready(void);
/* Memory of at least a line of its own, for what members share; it is zero and is never freed. */
void *team_memory(size_t bytes);
struct member *team_make(int members);
/*
 * Starts the members, waits at the gate, measures, joins them, and compares what they did with what
 * was counted. A member that is `pinned` stays on the CPU of bench_pin(number).
 */
void team_measure(struct bench *b, struct member *team, int members,
	void (*work)(struct member *m), bool pinned);
/* All operations, among them those between the end of the time and that of the last member. */
uint64_t team_sum(const struct member *team, int members);

#endif
