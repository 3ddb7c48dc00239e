// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * line.h - how long a cache line takes from one CPU to another: two threads hand a number back and
 * forth, each waits for the other's and stores the next.
 */
#ifndef TRUTH_LINE_H
#define TRUTH_LINE_H

#include <stdint.h>

/* By stores, or by exchanges that are atomic. */
enum line_way { LINE_STORES, LINE_EXCHANGES };

/*
 * Returns nanoseconds for one way: the median of batches, so that a pause of either side costs one
 * of them. It takes `ns` and returns 0 when too few batches were done in that time, or the CPUs
 * cannot be chosen.
 */
double line_one_way(int cpu, int other, enum line_way way, int64_t ns);

#endif
