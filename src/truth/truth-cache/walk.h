// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * walk.h - loads from random lines of a part of a buffer, each of which waits for the one before:
 * the address of a load contains what the last one brought, which is a number that is known and
 * subtracted again. So nothing has to be linked, however large the part is, and no processor can
 * guess the address. Lines are drawn anew each time, so that what fits into a cache is found there
 * in proportion: the time of the bytes by which one size exceeds another follows from the times of
 * both.
 */
#ifndef WALK_H
#define WALK_H

#include <stddef.h>
#include <stdint.h>

enum { WALK_LINE = 64 };

/* Writes its number into each line. */
void walk_fill(void *buffer, size_t bytes);
/* Makes so many loads from the first lines, and proves each. */
void walk_steps(const void *buffer, uint64_t lines, uint64_t steps);
/* Returns nanoseconds of a load: the median of pieces, over at least `ns`. */
double walk_time(const void *buffer, size_t bytes, int64_t ns);
/* Returns GB/s of reading the bytes from first to last: the median of pieces. */
double walk_bandwidth(const void *buffer, size_t bytes, int64_t ns);

#endif
