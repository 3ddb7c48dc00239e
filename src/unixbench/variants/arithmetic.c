// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * arithmetic - one operation is a hundred multiplications, subtractions, divisions and additions
 * in one type, whose sum is known. The types are short, int, long, float and double; the program
 * register uses int in register variables, and arithoh runs the loop with nothing in it.
 *
 * In UnixBench, compilers work most of this out at compile time, and little is left to measure.
 * Here each number comes from a volatile table and each sum goes to a volatile variable, so that
 * every division is executed, whatever the flags. The scores are therefore not comparable with
 * UnixBench's, and are part of no index.
 *
 * arithmetic.mk sets NUMBER, the type; STORAGE, `register` or nothing; and LOOP_ONLY, for arithoh.
 */
#include "bench.h"

#include <stddef.h>

enum { STEPS = 100, FIRST = 2 };

static volatile NUMBER table[STEPS], sum, square;

#if defined(LOOP_ONLY)
static const double KNOWN = 101, KNOWN_SQUARE = 0;	/* the last number of the table */

static NUMBER series(void)
{
	NUMBER x = 0;

	for (size_t i = 0; i < STEPS; i++)
		x = table[i];
	return x;
}
#else
static const double KNOWN_SQUARE = 101 * 101;	/* the square of the last number */
static const double KNOWN = 100.740147544;	/* terms are 1 + 1/(x*x - 1), 1 in integers */

static NUMBER series(void)
{
	STORAGE NUMBER x, y = 0, z = 0;

	for (STORAGE size_t i = 0; i < STEPS; i++) {
		x = table[i];
		y = (NUMBER)(x * x);
		z = (NUMBER)(z + y / (y - 1));
	}
	square = y;
	return z;
}
#endif

int main(int argc, char **argv)
{
	const double known = (double)(NUMBER)KNOWN, tolerance = 0.001;
	struct bench b;

	bench_begin(&b, argc, argv, NULL);
	for (size_t i = 0; i < STEPS; i++)
		table[i] = (NUMBER)(FIRST + i);
	while (bench_next(&b))
		sum = series();
	if ((double)sum < known - tolerance || (double)sum > known + tolerance)
		bench_wrong("the sum is %.6f, not %.6f", (double)sum, known);
	if ((double)square < KNOWN_SQUARE || (double)square > KNOWN_SQUARE)
		bench_wrong("the last square is %.6f, not %.6f", (double)square, KNOWN_SQUARE);
	bench_end(&b);
}
