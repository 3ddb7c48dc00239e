// SPDX-License-Identifier: GPL-2.0-or-later
/* within.c - see within.h. */
#include "lmb1997/shared/within.h"

#include <stdint.h>
#include <string.h>

/*
 * With -ffast-math a comparison of what is not a number may have any outcome. The bits of numbers above
 * zero are in the order of the numbers, and infinity and what is not a number come behind all others.
 */
static uint64_t bits(double number)
{
	uint64_t all;

	memcpy(&all, &number, sizeof(all));
	return all << 1;
}

bool within(double difference, double bound)
{
	return bits(difference) <= bits(bound);
}
