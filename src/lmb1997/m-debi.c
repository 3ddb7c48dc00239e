// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * m-debi - one unit writes 256 MB to an empty file in blocks of 64 KB, waits until the disk has
 * them, makes the system drop them from its cache, and reads them back. On a file system in
 * memory, or a system without a call to drop them, they are read from memory.
 */
#include "bench.h"
#include "lmb1997/shared/disk.h"

#include <inttypes.h>

/* The patterns fill 256 KB, so that compression of 128 KB at a time finds no repetition. */
enum { BLOCK = 65536, BLOCKS = 4096, WORDS = BLOCK / 8, PATTERNS = 4 };
static const double MEGABYTES = (double)BLOCK / 1048576 * BLOCKS, NS = 1e9;

static uint64_t pattern[PATTERNS][WORDS], in[WORDS];

/* This is Marsaglia's xorshift, whose bytes cannot be compressed. */
static void make_patterns(void)
{
	uint64_t number = 1;

	for (int i = 0; i < PATTERNS; i++) {
		for (int j = 0; j < WORDS; j++) {
			number ^= number << 13;
			number ^= number >> 7;
			number ^= number << 17;
			pattern[i][j] = number;
		}
	}
}

/*
 * `first` is the number of the first block; each unit has other numbers, and so writes other
 * bytes.
 */
static void write_blocks(int fd, uint64_t first)
{
	for (int i = 0; i < BLOCKS; i++) {
		uint64_t *const out = pattern[i % PATTERNS];

		out[0] = out[WORDS - 1] = first + (uint64_t)i;
		disk_put(fd, out, BLOCK, (int64_t)i * BLOCK);
	}
	disk_sync(fd);
}

/*
 * Checks each block's number at both ends, and a word in between, at another place in each block.
 */
static void read_blocks(int fd, uint64_t first)
{
	for (int i = 0; i < BLOCKS; i++) {
		const int word = 1 + i % (WORDS - 2);
		const uint64_t number = first + (uint64_t)i;

		disk_get(fd, in, BLOCK, (int64_t)i * BLOCK);
		if (in[0] != number || in[WORDS - 1] != number ||
				in[word] != pattern[i % PATTERNS][word])
			bench_wrong("block %d of a file in the working directory "
				"holds other bytes than were written", i);
	}
}

static void say_rates(double units, int64_t writing, int64_t reading)
{
	channel_say("FIGURE|write_mbps|%.1f", units * MEGABYTES / ((double)writing / NS));
	channel_say("FIGURE|read_mbps|%.1f", units * MEGABYTES / ((double)reading / NS));
}

int main(int argc, char **argv)
{
	int64_t writing = 0, reading = 0;
	uint64_t first = 1;
	struct bench b;
	int fd;

	bench_begin(&b, argc, argv, NULL);
	b.unit = BENCH_SECONDS;
	make_patterns();
	fd = disk_open();
	while (bench_next(&b)) {
		int64_t before = bench_clock();

		write_blocks(fd, first);
		writing += bench_clock() - before;
		disk_forget(fd);
		before = bench_clock();
		read_blocks(fd, first);
		reading += bench_clock() - before;
		disk_empty(fd);
		first += BLOCKS;
	}
	bench_stop(&b);
	say_rates((double)b.count, writing, reading);
	bench_end(&b);
}
