// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tally.h - counts steps of the work, for tests such as t/bytemark-sorting.t, which build the
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

#include <stdint.h>

#ifdef TALLY_WORK
enum { TALLIES = 32 };
extern uint64_t tally_count[TALLIES];
void tally_zero(void);
void tally_print(const char *const names[]);
#define TALLY(which, n) (tally_count[which] += (uint64_t)(n))
#define tally_reset() tally_zero()
#define tally_report(names) tally_print(names)
#else
#define TALLY(which, n) ((void)0)
#define tally_reset() ((void)0)
#define tally_report(names) ((void)(names))
#endif

#endif
