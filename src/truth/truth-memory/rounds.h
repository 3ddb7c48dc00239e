// SPDX-License-Identifier: GPL-2.0-or-later
/* rounds.h - touches new memory page by page, in rounds that are alike. */
#ifndef ROUNDS_H
#define ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ROUNDS = 3 };

/* Times of a page in nanoseconds. A gap is a page of more than 1 ms in which nothing else ran here. */
struct round {
	uint64_t pages, gaps;
	double p50, p99, p999, max, gap_ns;
	bool refused;		/* the system did not map so much */
};

/*
 * The first round goes on for so many seconds or until `size` bytes are touched, and the others have as
 * many pages. False where there is no such memory, or it has not what was written.
 */
bool rounds_run(struct round round[ROUNDS], size_t size, double seconds);

#endif
