// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * look.h - one look at a CPU, a few microseconds: how long a chain of additions takes, additions
 * that need nothing of each other, and instructions that do nothing. A look that something
 * interrupted does not count.
 */
#ifndef TRUTH_LOOK_H
#define TRUTH_LOOK_H

#include <stdbool.h>
#include <stdint.h>

struct look {
	int64_t begin, end;
	int64_t chain, wide, nops;	/* nanoseconds, without those of the clock */
	int64_t gap;			/* the longest pause between two readings of the clock */
};

/* Must be called once: it finds out what a reading of the clock costs, and what a look takes. */
void look_prepare(void);
struct look look_take(void);
/* True when nothing paused it for more than 20 us. */
bool look_is_whole(const struct look *l);

#endif
