// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * m-comb - one unit makes Pascal's triangle to row 60 modulo 2^31 - 1, 100,000 times, each row in
 * the place of the one before, and then all 735,471 subsets of 8 of 24 elements, with their
 * checksum. This measures integers in registers and the first-level cache. m-comb.f is the same in
 * Fortran.
 */
#include "bench.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

enum { TRIANGLES = 100000, ROWS = 60, ELEMENTS = 24, CHOSEN = 8, SUBSETS = 735471 };
static const int64_t PRIME = 2147483647, MIDDLE = 687300085, ROW_SUM = 536870912;
static const int64_t CHECKSUM = 187881705;

/* This is volatile so that the compiler cannot compute a triangle in advance. */
static volatile int64_t top = 1;
static int64_t row[ROWS + 1];
static int subset[CHOSEN];

static void make_triangle(void)
{
	row[0] = top;
	for (int k = 1; k <= ROWS; k++)
		row[k] = 0;
	for (int n = 1; n <= ROWS; n++)
		for (int k = n; k > 0; k--)
			row[k] = (row[k] + row[k - 1]) % PRIME;
}

/* Row n must add up to 2^n. */
static void check_row(void)
{
	int64_t sum = 0;

	for (int k = 0; k <= ROWS; k++)
		sum += row[k];
	if (row[ROWS / 2] != MIDDLE)
		bench_wrong("C(60, 30) is %" PRId64 ", not %" PRId64, row[ROWS / 2], MIDDLE);
	if (sum % PRIME != ROW_SUM)
		bench_wrong("the last row adds up to %" PRId64 ", not to %" PRId64, sum % PRIME,
			ROW_SUM);
}

static int64_t added(int64_t sum)
{
	for (int i = 0; i < CHOSEN; i++)
		sum = (sum * 31 + subset[i]) % PRIME;
	return sum;
}

/* Increases the last element that can grow, and lets the elements behind it follow it directly. */
static bool next_subset(void)
{
	int i = CHOSEN - 1;

	while (i >= 0 && subset[i] == ELEMENTS - CHOSEN + i)
		i--;
	if (i < 0)
		return false;
	subset[i]++;
	for (i++; i < CHOSEN; i++)
		subset[i] = subset[i - 1] + 1;
	return true;
}

static void make_subsets(void)
{
	int64_t sum = 0;
	long subsets = 0;

	for (int i = 0; i < CHOSEN; i++)
		subset[i] = i;
	do {
		sum = added(sum);
		subsets++;
	} while (next_subset());
	if (subsets != SUBSETS)
		bench_wrong("there are %ld subsets, not %d", subsets, SUBSETS);
	if (sum != CHECKSUM)
		bench_wrong("the checksum of all subsets is %" PRId64 ", not %" PRId64, sum,
			CHECKSUM);
}

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, argc, argv, NULL);
	b.unit = BENCH_SECONDS;
	while (bench_next(&b)) {
		for (int i = 0; i < TRIANGLES; i++) {
			make_triangle();
			check_row();
		}
		make_subsets();
	}
	bench_end(&b);
}
