// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * huffman - one iteration finds the Huffman code of a text of 5,000 bytes, compresses it and
 * decompresses it, a hundred times. The code is walked node by node and written bit by bit:
 * tables, or whole bytes at a time, would be a different test.
 */
#include "bytemark/shared/run.h"

#include <inttypes.h>
#include <string.h>

enum { LOOPS = 100, BYTES = 5000, LEAVES = 256, NODES = 512, LONGEST_CODE = 30 };
enum { NONE = -1, ROOT = -2, EXCLUDED = 32000 };	/* values in place of a parent */
enum { WORDS = 50, SHORTEST_LINE = 6, LINE_RANGE = 494 };
enum { KNOWN_BITS = 21352 };
#if defined(__FAST_MATH__) || defined(__RECIPROCAL_MATH__)
/* Rounding decides which of two equal frequencies is the smaller. */
static const bool EXACT = false;
#else
static const bool EXACT = true;
#endif
static const uint64_t TEXT_HASH = UINT64_C(0x60720305f8701f76);
static const uint64_t CODE_HASH = UINT64_C(0x51298820581ed280);

enum { PAIRS, VISITS, BITS_WRITTEN, BITS_READ };
static const char *const tallies[] = {
	"pairs", "nodes looked at", "bits written", "bits read", NULL,
};

/* The lengths and the order of these words give the text the same lines as the original's. */
static const char *const words[WORDS] = {
	"Quick", "By", "Get", "and", "code", "time", "branch", "width", "cache", "precision",
	"For", "for", "one", "hefty", "benchmark", "benchmarks", "at", "its", "processor",
	"processors", "on", "hardware", "architecture", "than", "rapids", "a", "E", "buffer",
	"Measure", "gain", "average", "big", "numbers", "few", "so", "ever", "measures", "report",
	"rhyme", "now", "table", "results", "key", "score", "Written", "plum", "byte", "light",
	"two", "unit",
};

struct node {
	uint8_t symbol;
	float frequency;
	int parent, left, right;
};

struct work {
	char *plain, *again;
	uint8_t *compressed;
	struct node *nodes;
	uint64_t bytes, loops;
	int64_t bits;	/* length of the compressed text */
};

static void put_bit(uint8_t *bytes, uint32_t at, char bit)
{
	const uint8_t mask = (uint8_t)(1 << at % 8);

	TALLY(BITS_WRITTEN, 1);
	if (bit == '0')
		bytes[at >> 3] &= (uint8_t)~mask;
	else
		bytes[at >> 3] |= mask;
}

static int get_bit(const uint8_t *bytes, uint32_t at)
{
	TALLY(BITS_READ, 1);
	return bytes[at >> 3] & 1 << at % 8;
}

/* One function instead of four gives the compiler the same view as in the original. */
static int64_t there_and_back(const char *plain, uint8_t *compressed, char *again,
	struct node *nodes, uint64_t bytes, uint64_t loops)
{
	int64_t bits = 0;

	while (loops--) {
		int64_t at = 0;
		int root;

		for (int i = 0; i < LEAVES; i++) {
			nodes[i].frequency = 0;
			nodes[i].symbol = (uint8_t)i;
		}
		for (uint64_t i = 0; i < bytes; i++)
			nodes[(int)plain[i]].frequency += 1;
		for (int i = 0; i < LEAVES; i++)
			if (nodes[i].frequency != 0)
				nodes[i].frequency /= (float)bytes;
		memset(&nodes[LEAVES], 0, sizeof *nodes * (NODES - LEAVES));
		for (int i = 0; i < NODES; i++) {
			if (nodes[i].frequency == 0)
				nodes[i].parent = EXCLUDED;
			else
				nodes[i].parent = nodes[i].left = nodes[i].right = NONE;
		}

		for (root = LEAVES - 1;; TALLY(PAIRS, 1)) {
			int first = NONE, second = NONE;
			float least = 2;

			for (int i = 0; i <= root; i++) {
				TALLY(VISITS, 1);
				if (nodes[i].parent < 0 && nodes[i].frequency < least) {
					least = nodes[i].frequency;
					first = i;
				}
			}
			if (first == NONE)
				break;
			least = 2;
			for (int i = 0; i <= root; i++) {
				TALLY(VISITS, 1);
				if (nodes[i].parent < 0 && i != first
					&& nodes[i].frequency < least) {
					least = nodes[i].frequency;
					second = i;
				}
			}
			if (second == NONE)
				break;
			root++;
			nodes[first].parent = nodes[second].parent = root;
			nodes[root].frequency = nodes[first].frequency
				+ nodes[second].frequency;
			nodes[root].left = first;
			nodes[root].right = second;
			nodes[root].parent = ROOT;
		}

		for (uint64_t i = 0; i < bytes; i++) {
			char path[LONGEST_CODE];
			int steps = 0;

			for (int node = plain[i], up; (up = nodes[node].parent) != ROOT; node = up)
				path[steps++] = nodes[up].left == node ? '0' : '1';
			while (steps > 0)
				put_bit(compressed, (uint32_t)at++, path[--steps]);
		}
		bits = at;

		at = 0;
		for (uint64_t i = 0; at < bits; i++) {
			int node = root;

			while (nodes[node].left != NONE)
				node = get_bit(compressed, (uint32_t)at++)
					? nodes[node].right : nodes[node].left;
			again[i] = (char)nodes[node].symbol;
		}
	}
	return bits;
}

/* Fills the line with words, each followed by a blank; the last is cut to fit. */
static void fill_line(char *line, size_t length)
{
	size_t used = 0;

	while (used < length) {
		const char *const word = words[random_below(WORDS)];
		const size_t letters = strlen(word), room = length - used;

		memcpy(line + used, word, letters < room ? letters : room);
		if (letters < room)
			line[used + letters] = ' ';
		used += letters < room ? letters + 1 : room;
	}
}

static void fill(char text[BYTES])
{
	const size_t end = BYTES - 1;
	size_t length;

	random_reset();
	for (size_t used = 0; used < end; used += length) {
		length = (size_t)random_below(LINE_RANGE) + SHORTEST_LINE;
		if (length > end - used)
			length = end - used;
		if (length > 1)
			fill_line(text + used, length);
		text[used + length - 1] = '\n';
	}
	text[end] = '\0';
}

static int code_length(const struct node *nodes, int symbol)
{
	int length = 0;

	for (int node = symbol, up; (up = nodes[node].parent) != ROOT; node = up)
		if (++length > LONGEST_CODE || up < LEAVES || up >= NODES)
			bench_wrong("symbol %d has no code of at most %d bits", symbol,
				LONGEST_CODE);
	return length;
}

/* A sum of 2^-length below 1 would mean that the code could be shorter. */
static void check_code(const struct work *w)
{
	const uint64_t one = UINT64_C(1) << LONGEST_CODE;
	uint64_t counts[LEAVES] = { 0 }, sum = 0, bits = 0;

	for (int i = 0; i < BYTES; i++)
		counts[(unsigned char)w->plain[i]]++;
	for (int symbol = 0; symbol < LEAVES; symbol++) {
		if (counts[symbol] == 0)
			continue;
		sum += one >> code_length(w->nodes, symbol);
		bits += counts[symbol] * (uint64_t)code_length(w->nodes, symbol);
	}
	if (sum != one)
		bench_wrong("the sum of 2^-length of all codes is %.9g, not 1",
			(double)sum / (double)one);
	if (bits != (uint64_t)w->bits)
		bench_wrong("the text was compressed to %" PRId64 " bits, its codes have %" PRIu64,
			w->bits, bits);
	if (bits != KNOWN_BITS)
		bench_wrong("the codes of the text have %" PRIu64 " bits, not %d", bits,
			KNOWN_BITS);
}

static void check_hash(const char *what, const void *text, size_t bytes, uint64_t known)
{
	const uint64_t hash = memory_hash(text, bytes);

	if (hash != known)
		bench_wrong("the %s has the hash %016" PRIx64 ", not %016" PRIx64, what, hash,
			known);
}

__attribute__((noinline)) static void check(const struct work *w)
{
	check_hash("text", w->plain, BYTES, TEXT_HASH);
	check_code(w);
	for (int i = 0; i < BYTES; i++)
		if (w->again[i] != w->plain[i])
			bench_wrong("byte %d is decompressed to %d, not %d", i, w->again[i],
				w->plain[i]);
	if (EXACT)
		check_hash("compressed text", w->compressed, KNOWN_BITS / 8, CODE_HASH);
}

static void iterate(struct work *w)
{
	w->bits = there_and_back(w->plain, w->compressed, w->again, w->nodes, w->bytes, w->loops);
}

int main(int argc, char **argv)
{
	/*
	 * The lengths are volatile, because a compiler that knew them would produce different
	 * loops.
	 */
	static const volatile uint64_t length = BYTES, times = LOOPS;
	struct work w = { .bytes = length, .loops = times };
	struct run r;

	run_begin(&r, argc, argv);
	w.plain = memory_get(BYTES);
	w.compressed = memory_get(BYTES);
	w.again = memory_get(BYTES);
	w.nodes = memory_get(NODES * sizeof *w.nodes);
	memset(w.compressed, 0, BYTES);
	fill(w.plain);
	iterate(&w);
	tally_report(tallies);
	check(&w);
	while (run_next(&r)) {
		run_start(&r);
		iterate(&w);
		run_stop(&r, LOOPS);
	}
	check(&w);
	run_end(&r);
}
