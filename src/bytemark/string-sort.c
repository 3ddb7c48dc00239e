// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * string-sort - one iteration sorts 215 strings of 1 to 76 bytes by heap sort; making them is not
 * timed. The strings are stored one after another, each with a length byte before it, and are
 * exchanged in place: when the length of a string changes, everything after it moves. These moves
 * are what is measured; sorting pointers would be a different test. The loop over the offsets
 * takes as much time, so the Makefile aligns it.
 */
#include "bytemark/shared/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* SLACK: during an exchange the strings are longer by at most LONGEST - 1 bytes. */
enum { ARENA = 8111, SLACK = 100, LONGEST = 76, BYTES = 254, BUFFER = 80, STRINGS = 215 };
static const uint64_t HASH = UINT64_C(0x2ccb9466d1415608);
static const uint64_t SUM_OF_HASHES = UINT64_C(0x308e5dc42d6459f4);

enum { LESS, EXCHANGES, LENGTHS, LAST_LENGTHS, OFFSETS, MOVES, BYTES_MOVED };
static const char *const tallies[] = {
	"comparisons", "exchanges", "lengths set", "lengths of the last string", "offsets changed",
	"moves", "bytes moved", NULL,
};

/* Returns the number of strings. */
static uint64_t fill(unsigned char *arena)
{
	uint64_t strings = 0;

	random_reset();
	for (int at = 0; at < ARENA; strings++) {
		int length = 1 + random_below(LONGEST);

		if (length + at + 1 >= ARENA)
			length = ARENA - at - 1;
		arena[at++] = (unsigned char)length;
		for (int i = 0; i < length; i++)
			arena[at++] = (unsigned char)random_below(BYTES);
	}
	return strings;
}

static void find(const unsigned char *arena, uint64_t *offset, uint64_t n)
{
	uint64_t at = 0;

	for (uint64_t i = 0; i < n; i++) {
		offset[i] = at;
		at += arena[at] + 1u;
	}
}

/* Even the shortest move must be a call of this function. */
static __attribute__((noinline)) void move(void *to, const void *from, size_t n)
{
	TALLY(MOVES, 1);
	TALLY(BYTES_MOVED, n);
	memmove(to, from, n);
}

/*
 * The comparison includes the length bytes, and never reads the last byte of the shorter string.
 */
static bool less(const unsigned char *arena, const uint64_t *offset, uint64_t a, uint64_t b)
{
	const unsigned char *one = arena + offset[a], *other = arena + offset[b];
	const size_t shorter = *one < *other ? *one : *other;
	const int order = strncmp((const char *)one, (const char *)other, shorter);

	TALLY(LESS, 1);
	if (order == 0)
		return *one > *other;
	return order < 0;
}

static void set_length(unsigned char *arena, uint64_t *offset, uint64_t n, uint64_t i,
	unsigned char length)
{
	const int change = length - arena[offset[i]];
	const uint8_t by = (uint8_t)abs(change);

	TALLY(LENGTHS, 1);
	if (i == n - 1) {
		TALLY(LAST_LENGTHS, 1);
		arena[offset[i]] = length;
		return;
	}
	move(arena + offset[i] + length + 1, arena + offset[i + 1],
		(size_t)(offset[n - 1] + arena[offset[n - 1]] + 1 - offset[i + 1]));
	for (uint64_t j = i + 1; j < n; j++) {
		TALLY(OFFSETS, 1);
		if (change < 0)
			offset[j] -= by;
		else
			offset[j] += by;
	}
	arena[offset[i]] = length;
}

static void exchange(unsigned char *arena, uint64_t *offset, uint64_t n, uint64_t held,
	uint64_t other)
{
	unsigned char buffer[BUFFER], length;

	TALLY(EXCHANGES, 1);
	move(buffer, arena + offset[held], arena[offset[held]] + 1u);
	length = arena[offset[other]];
	set_length(arena, offset, n, held, length);
	move(arena + offset[held], arena + offset[other], length + 1u);
	length = buffer[0];
	set_length(arena, offset, n, other, length);
	move(arena + offset[other], buffer, length + 1u);
}

static void sift(unsigned char *arena, uint64_t *offset, uint64_t n, uint64_t i, uint64_t last)
{
	while (2 * i <= last) {
		uint64_t child = 2 * i;

		if (child < last) {
			if (less(arena, offset, child, child + 1))
				child++;
		}
		if (less(arena, offset, i, child)) {
			exchange(arena, offset, n, child, i);
			i = child;
		} else {
			i = last + 1;
		}
	}
}

/* The tree is that of numeric-sort. */
static void heap_sort(unsigned char *arena, uint64_t *offset, uint64_t n)
{
	for (uint64_t i = (n - 1) / 2; i > 0; i--)
		sift(arena, offset, n, i, n - 1);
	for (uint64_t i = n - 1; i > 0; i--) {
		sift(arena, offset, n, 0, i);
		exchange(arena, offset, n, 0, i);
	}
}

/* Returns a sum that does not depend on the order of the strings. */
static uint64_t sum_of_hashes(const unsigned char *arena, const uint64_t *offset, uint64_t n)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += memory_hash(arena + offset[i], arena[offset[i]] + 1u);
	return sum;
}

/* Checks first what holds for any strings, then what holds for these. */
static __attribute__((noinline)) void check(const unsigned char *arena, const uint64_t *offset,
	uint64_t n, uint64_t before)
{
	const uint64_t hash = memory_hash(arena, ARENA);
	uint64_t at = 0, sum;

	for (uint64_t i = 0; i < n; i++) {
		if (offset[i] != at)
			bench_wrong("string %" PRIu64 " begins at %" PRIu64 ", not %" PRIu64, i,
				offset[i], at);
		at += arena[at] + 1u;
		if (at > ARENA)
			break;
	}
	if (at != ARENA)
		bench_wrong("the strings end at %" PRIu64 ", not %d", at, ARENA);
	for (uint64_t i = 1; i < n; i++) {
		if (less(arena, offset, i, i - 1))
			bench_wrong("string %" PRIu64 " is less than the one before", i);
	}
	sum = sum_of_hashes(arena, offset, n);
	if (sum != before)
		bench_wrong("the sum of hashes is %016" PRIx64 ", was %016" PRIx64, sum, before);
	if (n != STRINGS)
		bench_wrong("there are %" PRIu64 " strings, not %d", n, STRINGS);
	if (sum != SUM_OF_HASHES)
		bench_wrong("the sum of hashes is %016" PRIx64 ", not %016" PRIx64, sum,
			SUM_OF_HASHES);
	if (hash != HASH)
		bench_wrong("the hash is %016" PRIx64 ", not %016" PRIx64, hash, HASH);
}

int main(int argc, char **argv)
{
	struct run r;
	unsigned char *arena;
	uint64_t *offset;
	uint64_t n, before;

	run_begin(&r, argc, argv);
	arena = memory_get(ARENA + SLACK);
	n = fill(arena);
	offset = memory_get((size_t)n * sizeof *offset);
	find(arena, offset, n);
	before = sum_of_hashes(arena, offset, n);
	heap_sort(arena, offset, n);
	tally_report(tallies);
	check(arena, offset, n, before);
	while (run_next(&r)) {
		n = fill(arena);
		find(arena, offset, n);
		run_start(&r);
		heap_sort(arena, offset, n);
		run_stop(&r, 1);
	}
	check(arena, offset, n, before);
	run_end(&r);
}
