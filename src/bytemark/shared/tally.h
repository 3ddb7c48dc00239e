// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tally.h - counts steps of the work, for tests such as t/suite/bytemark-sorting.t, which build the
 * programs with -DTALLY_WORK. Every other build contains none of this.
 *
 *	enum { SIFT_STEPS, EXCHANGES };
 *	static const char *const tallies[] = { "sift steps", "exchanges", NULL };
 *	...
 *	TALLY(SIFT_STEPS, 1);
 *	...before the one iteration of the set-up, where what prepares it counts too...
 *	tally_reset();
 *	...after it: prints `TALLY|sift steps|100921` and so on, on standard output...
 *	tally_report(tallies);
 */
#ifndef TALLY_H
#define TALLY_H

#ifdef TALLY_WORK
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TALLIES = 32 };
static uint64_t tally_count[TALLIES];
#define TALLY(which, n) (tally_count[which] += (uint64_t)(n))

static inline void tally_reset(void)
{
	memset(tally_count, 0, sizeof tally_count);
}

static inline void tally_report(const char *const names[])
{
	for (int i = 0; names[i]; i++)
		printf("TALLY|%s|%" PRIu64 "\n", names[i], tally_count[i]);
	fflush(stdout);
	tally_reset();
}
#else
#define TALLY(which, n) ((void)0)
#define tally_reset() ((void)0)
#define tally_report(names) ((void)(names))
#endif

#endif
