// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tail.h - tells the quantiles of many times, for tests whose slowest operations matter:
 *
 *	FIGURE|p50|0.00001032|s		half of the times were no longer
 *	FIGURE|p90|...|s, p99, p99.9
 *	FIGURE|max|0.00134|s
 *	FIGURE|samples|3312
 */
#ifndef MODERN_TAIL_H
#define MODERN_TAIL_H
#include "spread.h"

/* The times are nanoseconds. */
void tail_say(const struct spread *times);

#endif
