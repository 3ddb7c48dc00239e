// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * spread.h - the distribution of values, in a fixed amount of memory: each power of two is divided
 * into 256 parts, so that a part is at most 0.4 % wide. The least and the greatest value are
 * exact.
 */
#ifndef SPREAD_H
#define SPREAD_H

#include <stdint.h>

enum { SPREAD_PARTS = 256, SPREAD_ALL = 64 * SPREAD_PARTS + 1 };

struct spread {
	uint64_t count, least, greatest;
	uint64_t in[SPREAD_ALL];
};

void spread_add(struct spread *s, uint64_t value);
/* Adds all values of another one. */
void spread_join(struct spread *s, const struct spread *other);
/* Returns the value that this share of all values (0.5, for example) does not exceed. */
double spread_at(const struct spread *s, double share);

#endif
