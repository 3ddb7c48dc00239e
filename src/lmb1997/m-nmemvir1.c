// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * m-nmemvir1 - one unit adds to every element of the large array eight times, in the order of
 * storage. This measures streaming reads and writes of memory. The array is in memory before the
 * clock starts, so no page is created or swapped during a unit unless memory is short.
 * m-nmemvir1.f is the same in Fortran.
 */
#include "bench.h"
#include "lmb1997/shared/common.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { TIMES = 8 };
/* START is not zero, because a library may hand out zeros without touching the memory. */
static const double START = 1;

/* This is volatile so that the compiler cannot merge two walks. */
static volatile double step = 1;

static void walk(double *array, int64_t elements)
{
	const double added = step;

	for (int64_t i = 0; i < elements; i++)
		array[i] += added;
}

int main(int argc, char **argv)
{
	struct bench b;
	int64_t kilobytes, elements;
	double *array, expected;

	bench_begin(&b, argc, argv, ARRAY_USAGE);
	b.unit = BENCH_SECONDS;
	kilobytes = array_kilobytes(argc, argv);
	elements = kilobytes * 1024 / (int64_t)sizeof(*array);
	array = malloc((size_t)elements * sizeof(*array));
	if (!array)
		bench_fail("cannot get memory for the large array");
	for (int64_t i = 0; i < elements; i++)
		array[i] = START;
	while (bench_next(&b))
		for (int i = 0; i < TIMES; i++)
			walk(array, elements);
	bench_stop(&b);
	expected = START + TIMES * (double)b.count;
	for (int64_t i = 0; i < elements; i++)
		if (array[i] != expected)
			bench_wrong("element %" PRId64 " of the array is %.0f, not %.0f", i, array[i],
				expected);
	channel_say("FIGURE|array_kb|%" PRId64, kilobytes);
	free(array);
	bench_end(&b);
}
