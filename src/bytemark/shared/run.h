// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run.h - what all tests of the suite use: buffers, random numbers, counts of steps, and the frame of a
 * test whose iterations are timed only in part:
 *
 *	run_begin(&r, argc, argv);
 *	...set up; one iteration, and check(), which calls bench_wrong if an answer is wrong...
 *	while (run_next(&r)) {
 *		...fill buffers...
 *		run_start(&r);
 *		...the work...
 *		run_stop(&r, amount of work);
 *	}
 *	...check() again...
 *	run_end(&r);
 *
 * The score is work per timed second. The window is SECONDS of real time. The further argument
 * `cpu` makes it CPU time, and extends it until the work alone has used that much, as the suite's
 * original does.
 */
#ifndef RUN_H
#define RUN_H

#include "bench.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef TALLY_WORK
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#endif

struct run {
	struct bench b;
	int64_t spent, started;	/* nanoseconds: timed so far; at run_start */
	double work;
	bool cpu;
};

void run_begin(struct run *r, int argc, char **argv);
bool run_next(struct run *r);
void run_start(struct run *r);
void run_stop(struct run *r, double work);
_Noreturn void run_end(struct run *r);

/* --- buffers, and hashes of their contents */

/*
 * The buffer begins 8 bytes after a multiple of 16, because speed depends on that. It is not
 * cleared, and lasts until the process ends. If there is no memory, this ends the process.
 */
void *memory_get(size_t bytes);

/* Returns the 64-bit FNV-1a hash of the bytes in the order of memory. */
uint64_t memory_hash(const void *bytes, size_t n);

/*
 * True if numbers are stored in the byte order of the known hashes. Otherwise prints on standard
 * output, once, what is not checked.
 */
bool memory_order_is_known(const char *what);

/*
 * --- random numbers: the generator of all tests of this suite. It has one seed, so resetting it gives the
 * same numbers again: 298961 (which the reset discards), -515045, 392519, -200022 ...
 */
void random_reset(void);
int32_t random_draw(void);		/* -999562 to 999562 */
int32_t random_signed(int32_t n);	/* the remainder of a draw, with its sign */
int32_t random_below(int32_t n);	/* 0 to n - 1 */

/*
 * --- counts of steps of the work, for tests such as t/suite/bytemark-sorting.t, which build the
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
#ifdef TALLY_WORK
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
