// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bitfield - one iteration sets, clears or complements each of 30 runs of bits in a map of 32 KiB;
 * making the map and the list of runs is not timed. The result is bits a second. Bits are changed
 * one at a time: whole words would be a different test.
 */
#include "bytemark/shared/run.h"

#include <inttypes.h>

/*
 * The runs lie in the first BITS bits, but all WORDS are written before each iteration, so that
 * the first-level cache holds the end of the map instead of what will be used.
 */
enum { WORDS = 16384, BITS = 262140, RUNS = 30, USED = 32768 /* bytes */ };
enum { BITS_RUN = 2258842, ONES = 540253 };
static const uint64_t PATTERN = UINT64_C(0x5555555555555555);
/* Hashes of the bytes in memory, with the least significant byte of a word first. */
static const uint64_t HASH = UINT64_C(0x30f55a7214b95b95), HASH_USED = UINT64_C(0x7f75f4250b41db95);

enum { BITS_SET, BITS_CLEARED, BITS_COMPLEMENTED };
static const char *const tallies[] = { "bits set", "bits cleared", "bits complemented", NULL };

/* Writes offset and length of each run, one after another. Returns the sum of the lengths. */
static uint64_t fill(uint64_t *map, uint64_t *runs)
{
	uint64_t bits = 0;

	for (int i = 0; i < WORDS; i++)
		map[i] = PATTERN;
	random_reset();
	for (int i = 0; i < RUNS; i++) {
		const int32_t offset = random_below(BITS), length = random_below(BITS - offset);

		runs[2 * i] = (uint64_t)offset;
		runs[2 * i + 1] = (uint64_t)length;
		bits += (uint64_t)length;
	}
	return bits;
}

static void change(uint64_t *map, uint64_t at, uint64_t length, bool set)
{
	for (; length > 0; length--, at++) {
		const uint64_t word = at >> 6, bit = at & 63;

		TALLY(set ? BITS_SET : BITS_CLEARED, 1);
		if (set)
			map[word] |= UINT64_C(1) << bit;
		else
			map[word] &= ~(UINT64_C(1) << bit);
	}
}

static void complement(uint64_t *map, uint64_t at, uint64_t length)
{
	for (; length > 0; length--, at++) {
		const uint64_t word = at >> 6, bit = at & 63;

		TALLY(BITS_COMPLEMENTED, 1);
		map[word] ^= UINT64_C(1) << bit;
	}
}

static void operate(uint64_t *map, const uint64_t *runs)
{
	for (int64_t i = 0; i < RUNS; i++) {
		switch (i % 3) {
		case 0:
			change(map, runs[2 * i], runs[2 * i + 1], true);
			break;
		case 1:
			change(map, runs[2 * i], runs[2 * i + 1], false);
			break;
		case 2:
			complement(map, runs[2 * i], runs[2 * i + 1]);
			break;
		}
	}
}

/* Changes the same bits by another method, a word at a time. */
static void operate_on_words(uint64_t *map, const uint64_t *runs)
{
	for (int i = 0; i < RUNS; i++) {
		const uint64_t begin = runs[2 * i], end = begin + runs[2 * i + 1];

		for (uint64_t word = begin / 64; word * 64 < end; word++) {
			uint64_t mask = UINT64_MAX;

			if (word == begin / 64)
				mask &= UINT64_MAX << begin % 64;
			if (word == end / 64)
				mask &= ~(UINT64_MAX << end % 64);
			if (i % 3 == 0)
				map[word] |= mask;
			else if (i % 3 == 1)
				map[word] &= ~mask;
			else
				map[word] ^= mask;
		}
	}
}

/* This must hold for any list of runs. */
static __attribute__((noinline)) void check_map(const uint64_t *map, const uint64_t *runs)
{
	static uint64_t known[WORDS];

	for (int i = 0; i < WORDS; i++)
		known[i] = PATTERN;
	operate_on_words(known, runs);
	for (int i = 0; i < WORDS; i++) {
		if (map[i] != known[i])
			bench_wrong("word %d is %016" PRIx64 ", not %016" PRIx64, i, map[i],
				known[i]);
	}
}

/* This must hold for this list. */
static __attribute__((noinline)) void check_numbers(const uint64_t *map, uint64_t bits)
{
	const uint64_t hash = memory_hash(map, WORDS * sizeof *map);
	const uint64_t hash_used = memory_hash(map, USED);
	int ones = 0;

	for (int i = 0; i < WORDS; i++) {
		for (uint64_t left = map[i]; left != 0; left &= left - 1)
			ones++;
	}
	if (bits != BITS_RUN)
		bench_wrong("the runs have %" PRIu64 " bits, not %d", bits, BITS_RUN);
	if (ones != ONES)
		bench_wrong("%d bits are set, not %d", ones, ONES);
	if (!memory_order_is_known("the hashes of the map"))
		return;
	if (hash_used != HASH_USED)
		bench_wrong("the hash of the used part is %016" PRIx64 ", not %016" PRIx64,
			hash_used, HASH_USED);
	if (hash != HASH)
		bench_wrong("the hash is %016" PRIx64 ", not %016" PRIx64, hash, HASH);
}

int main(int argc, char **argv)
{
	struct run r;
	uint64_t *map, *runs;
	uint64_t bits;

	run_begin(&r, argc, argv);
	map = memory_get(WORDS * sizeof *map);
	runs = memory_get(2 * RUNS * sizeof *runs);
	bits = fill(map, runs);
	operate(map, runs);
	tally_report(tallies);
	check_map(map, runs);
	check_numbers(map, bits);
	while (run_next(&r)) {
		bits = fill(map, runs);
		run_start(&r);
		operate(map, runs);
		run_stop(&r, (double)bits);
	}
	check_map(map, runs);
	check_numbers(map, bits);
	run_end(&r);
}
