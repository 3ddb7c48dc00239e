// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * loop84 - one unit counts a variable in a register from 0 to 1,000,000, with an increment and a
 * test for each step.
 */
#include "bench.h"

#include <stddef.h>

enum { STEPS = 1000000 };

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, argc, argv, NULL);
	b.unit = BENCH_SECONDS;
	while (bench_next(&b)) {
		register long i = 0;

		do {
			i++;
			/*
			 * This costs nothing, but hides the value from the compiler, so that it
			 * must count.
			 */
			__asm__ volatile("" : "+r"(i));
		} while (i < STEPS);
		if (i != STEPS)
			bench_wrong("it counted to %ld, not to %d", i, STEPS);
	}
	bench_end(&b);
}
