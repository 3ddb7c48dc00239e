// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * m-vir4 - one unit adds to the large array at 20 million random places, the same in every unit.
 * It has its own generator, which takes no longer than a miss of the first-level cache. No place
 * depends on the contents of another, so this measures many misses at once, as many as the
 * processor can have outstanding, not the latency of one.
 */
#include "bench.h"
#include "lmb1997/shared/common.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { CHANGES = 20000000, PARTS = 16 };
static const uint64_t SEED = 88172645463325252;
/* START is not zero, because a library may hand out zeros without touching the memory. */
static const double START = 1;

/*
 * A part of the array may differ from its share of changes by this much: eleven standard
 * deviations.
 */
static const double DIFFERENCE = 0.01;

static void change(double *array, uint64_t elements)
{
	uint64_t random = SEED;

	for (int i = 0; i < CHANGES; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		array[(random >> 32) * elements >> 32]++;
	}
	/* For the compiler, this reads the array, so that it cannot omit a unit. */
	__asm__ volatile("" : : "r"(array) : "memory");
}

/* The sums are of whole numbers, so they are exact in any order. */
static void check(const double *array, uint64_t elements, double changes)
{
	double sum = 0;

	for (uint64_t part = 0; part < PARTS; part++) {
		const uint64_t from = elements * part / PARTS, to = elements * (part + 1) / PARTS;
		const double share = changes * (double)(to - from) / (double)elements;
		double here = 0;

		for (uint64_t i = from; i < to; i++)
			here += array[i] - START;
		sum += here;
		if (here < share * (1 - DIFFERENCE) || here > share * (1 + DIFFERENCE))
			bench_wrong("part %" PRIu64 " of the array was changed %.0f times, not about %.0f",
				part, here, share);
	}
	if (sum != changes)
		bench_wrong("the array was changed %.0f times, not %.0f times", sum, changes);
}

int main(int argc, char **argv)
{
	struct bench b;
	int64_t kilobytes;
	uint64_t elements;
	double *array;

	bench_begin(&b, argc, argv, ARRAY_USAGE);
	b.unit = BENCH_SECONDS;
	kilobytes = array_kilobytes(argc, argv);
	elements = (uint64_t)kilobytes * 1024 / sizeof(*array);
	array = malloc((size_t)elements * sizeof(*array));
	if (!array)
		bench_fail("cannot get memory for the large array");
	for (uint64_t i = 0; i < elements; i++)
		array[i] = START;
	while (bench_next(&b))
		change(array, elements);
	bench_stop(&b);
	check(array, elements, (double)b.count * CHANGES);
	channel_say("FIGURE|array_kb|%" PRId64, kilobytes);
	free(array);
	bench_end(&b);
}
