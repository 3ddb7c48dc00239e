// SPDX-License-Identifier: GPL-2.0-or-later
/* common.c - see common.h. */
#include "lmb1997/shared/common.h"
#include "bench.h"

#include <string.h>

enum { LEAST = 256, USUAL = 64 * 1024 };

int64_t array_kilobytes(int argc, char **argv)
{
	if (argc > 3)
		bench_usage();
	return argc > 2 ? bench_number(argv[2], "KILOBYTES", LEAST, USUAL) : USUAL;
}

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
