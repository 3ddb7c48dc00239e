// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * m-permut - one unit generates all 3,628,800 permutations of ten elements in place, each from the
 * one before by one exchange (Heap's method), counts them and computes a checksum of them all.
 */
#include "bench.h"

#include <stddef.h>
#include <stdint.h>

enum { ELEMENTS = 10, PERMUTATIONS = 3628800 };
static const uint32_t CHECKSUM = 3237031936;

static int element[ELEMENTS];

static void exchange(int i, int j)
{
	const int kept = element[i];

	element[i] = element[j];
	element[j] = kept;
}

/* The checksum depends on each element and its place, modulo 2^32. */
static uint32_t added(uint32_t sum)
{
	for (int i = 0; i < ELEMENTS; i++)
		sum = sum * 31 + (uint32_t)element[i];
	return sum;
}

static uint32_t all_permutations(long *permutations)
{
	int turn[ELEMENTS] = { 0 };
	uint32_t sum = added(0);
	long count = 1;

	for (int i = 1; i < ELEMENTS;) {
		if (turn[i] < i) {
			exchange(i % 2 ? turn[i] : 0, i);
			sum = added(sum);
			count++;
			turn[i]++;
			i = 1;
		} else {
			turn[i++] = 0;
		}
	}
	*permutations = count;
	return sum;
}

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, argc, argv, NULL);
	b.unit = BENCH_SECONDS;
	while (bench_next(&b)) {
		long permutations;
		uint32_t sum;

		for (int i = 0; i < ELEMENTS; i++)
			element[i] = i;
		sum = all_permutations(&permutations);
		if (permutations != PERMUTATIONS)
			bench_wrong("%ld permutations were generated, not %d", permutations, PERMUTATIONS);
		if (sum != CHECKSUM)
			bench_wrong("the checksum of all permutations is %u, not %u", sum, CHECKSUM);
	}
	bench_end(&b);
}
