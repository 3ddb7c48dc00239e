// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * numeric-sort - one iteration sorts 8,111 signed numbers of 64 bits by heap sort; filling the
 * array is not timed. The code uses the tree of arrays that begin at 1 for an array that begins at
 * 0, so 0 has the children 0 and 1. This is not sorting at its best: it measures exchanges in
 * memory and unpredictable branches.
 */
#include "bytemark/shared/run.h"

#include <inttypes.h>

enum { NUMBERS = 8111, EQUAL_PAIRS = 11 };
static const int64_t SUM = -34984764;
/* The hash of the bytes in memory, with the least significant byte of a number first. */
static const uint64_t HASH = UINT64_C(0x0a7cf9bc54618afa);
static const struct { int at; int64_t value; } KNOWN[] = {
	{ 0, -999413 }, { 1, -999255 }, { 4055, -5337 }, { 8109, 999468 }, { 8110, 999511 },
};

enum { SIFT_STEPS, SIFT_EXCHANGES, FINAL_EXCHANGES };
static const char *const tallies[] = {
	"sift steps", "exchanges in sifts", "final exchanges", NULL,
};

/* Sums that sorting must not change. */
struct sums {
	uint64_t sum, xor;
};

static void fill(int64_t *a)
{
	random_reset();
	for (int i = 0; i < NUMBERS; i++)
		a[i] = random_draw();
}

/*
 * The conditions are nested: adding the result of a comparison would need no branch, and have
 * another speed.
 */
static void sift(int64_t *a, uint64_t i, uint64_t last)
{
	while (2 * i <= last) {
		uint64_t child = 2 * i;

		TALLY(SIFT_STEPS, 1);
		if (child < last) {
			if (a[child] < a[child + 1])
				child++;
		}
		if (a[i] < a[child]) {
			const int64_t held = a[child];

			TALLY(SIFT_EXCHANGES, 1);
			a[child] = a[i];
			a[i] = held;
			i = child;
		} else {
			i = last + 1;
		}
	}
}

static void heap_sort(int64_t *a, uint64_t first, uint64_t last)
{
	for (uint64_t i = last / 2; i > 0; i--)
		sift(a, i, last);
	for (uint64_t i = last; i > 0; i--) {
		int64_t held;

		sift(a, first, i);
		TALLY(FINAL_EXCHANGES, 1);
		held = a[first];
		a[first] = a[i];
		a[i] = held;
	}
}

static __attribute__((noinline)) struct sums sums_of(const int64_t *a)
{
	struct sums of = { 0, 0 };

	for (int i = 0; i < NUMBERS; i++) {
		of.sum += (uint64_t)a[i];
		of.xor ^= (uint64_t)a[i];
	}
	return of;
}

/* This must hold for any numbers. */
static __attribute__((noinline)) void check_order(const int64_t *a, struct sums before)
{
	const struct sums after = sums_of(a);

	for (int i = 1; i < NUMBERS; i++) {
		if (a[i - 1] > a[i])
			bench_wrong("number %d is %" PRId64 ", and the next is %" PRId64, i - 1,
				a[i - 1], a[i]);
	}
	if (after.sum != before.sum)
		bench_wrong("the sum is %" PRId64 ", not %" PRId64, (int64_t)after.sum,
			(int64_t)before.sum);
	if (after.xor != before.xor)
		bench_wrong("the exclusive or is %" PRIx64 ", not %" PRIx64, after.xor, before.xor);
}

/* This must hold for these numbers. */
static __attribute__((noinline)) void check_numbers(const int64_t *a)
{
	const int64_t sum = (int64_t)sums_of(a).sum;
	const uint64_t hash = memory_hash(a, NUMBERS * sizeof *a);
	int equal = 0;

	for (int i = 1; i < NUMBERS; i++)
		equal += a[i - 1] == a[i];
	if (sum != SUM)
		bench_wrong("the sum is %" PRId64 ", not %" PRId64, sum, SUM);
	if (equal != EQUAL_PAIRS)
		bench_wrong("%d numbers equal the next, not %d", equal, EQUAL_PAIRS);
	for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++) {
		if (a[KNOWN[i].at] != KNOWN[i].value)
			bench_wrong("number %d is %" PRId64 ", not %" PRId64, KNOWN[i].at,
				a[KNOWN[i].at], KNOWN[i].value);
	}
	if (memory_order_is_known("the hash of the numbers") && hash != HASH)
		bench_wrong("the hash is %016" PRIx64 ", not %016" PRIx64, hash, HASH);
}

int main(int argc, char **argv)
{
	struct run r;
	struct sums before;
	int64_t *a;

	run_begin(&r, argc, argv);
	a = memory_get(NUMBERS * sizeof *a);
	fill(a);
	before = sums_of(a);
	heap_sort(a, 0, NUMBERS - 1);
	tally_report(tallies);
	check_order(a, before);
	check_numbers(a);
	while (run_next(&r)) {
		fill(a);
		run_start(&r);
		heap_sort(a, 0, NUMBERS - 1);
		run_stop(&r, 1);
	}
	check_order(a, before);
	check_numbers(a);
	run_end(&r);
}
