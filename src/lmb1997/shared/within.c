// SPDX-License-Identifier: GPL-2.0-or-later
/* within.c - see within.h. */
#include "lmb1997/shared/within.h"

#include <stdint.h>
#include <string.h>

/*
 * With -ffast-math a comparison with NaN may have any result. The bits of positive numbers have
 * the order of the numbers, and infinity and NaN come after all others.
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
