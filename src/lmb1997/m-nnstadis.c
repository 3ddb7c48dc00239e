// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * m-nnstadis - one unit writes a block of 512 bytes at a random place of a file of 64 MB and reads
 * it back at once, 100,000 times. The places are the same in every unit and on every machine. The
 * file stays in the page cache, if there is one, so nothing waits for the disk.
 */
#include "bench.h"
#include "lmb1997/shared/disk.h"

#include <string.h>

enum { BLOCK = 512, WORDS = BLOCK / 8, BLOCKS = 131072, TIMES = 100000, AT_ONCE = 2048 };

static uint64_t out[WORDS], in[WORDS];

/* The file is synced, because a write-back that starts later would disturb the measurement. */
static void fill(int fd)
{
	static char zeros[AT_ONCE * BLOCK];

	for (int i = 0; i < BLOCKS; i += AT_ONCE)
		disk_put(fd, zeros, sizeof zeros, (int64_t)i * BLOCK);
	disk_sync(fd);
}

/* The places come from Lehmer's generator with the multiplier 48271, seeded with 1. */
static void unit(int fd, uint64_t first)
{
	uint64_t number = 1;

	for (int i = 0; i < TIMES; i++) {
		int64_t place;

		number = number * 48271 % 2147483647;
		place = (int64_t)(number % BLOCKS) * BLOCK;
		out[0] = out[WORDS - 1] = first + (uint64_t)i;
		disk_put(fd, out, BLOCK, place);
		disk_get(fd, in, BLOCK, place);
		if (memcmp(in, out, BLOCK) != 0)
			bench_wrong("a block of a file in the working directory "
				"holds other bytes than were written");
	}
}

int main(int argc, char **argv)
{
	uint64_t first = 1;
	struct bench b;
	int fd;

	bench_begin(&b, argc, argv, NULL);
	b.unit = BENCH_SECONDS;
	for (uint64_t i = 0; i < WORDS; i++)
		out[i] = i;
	fd = disk_open();
	fill(fd);
	while (bench_next(&b)) {
		unit(fd, first);
		first += TIMES;
	}
	bench_end(&b);
}
