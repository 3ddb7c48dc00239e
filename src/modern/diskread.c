// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * diskread - one operation reads 4 KB at a random place of DIRECTORY/blocks, 256 MB, past the cache of
 * this system, and waits for them: no second read is on its way meanwhile. A host or a disk may still
 * have them in a cache of its own.
 */
#include "bench.h"
#include "mix.h"
#include "modern/shared/blocks.h"
#include "modern/shared/medium.h"
#include "modern/shared/tail.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

static const uint64_t SEED = 7;
static struct spread times;

static void read_block(int fd, uint64_t number, uint64_t block[BLOCK_WORDS])
{
	const ssize_t n = pread(fd, block, BLOCK, (off_t)(number * BLOCK));

	if (n == -1 && errno == EINVAL)
		bench_skip("this file system refuses reads of 4 KB past the cache (O_DIRECT)");
	if (n != BLOCK)
		bench_fail("cannot read block %" PRIu64, number);
}

int main(int argc, char **argv)
{
	static _Alignas(BLOCK) uint64_t block[BLOCK_WORDS];
	struct blocks blocks;
	struct bench b;
	uint64_t state, number = 0;
	const char *how;
	int fd;

	bench_begin(&b, argc, argv, "SECONDS DIRECTORY");
	if (argc != 3)
		bench_usage();
	medium_needed(argv[2]);
	blocks = blocks_make(argv[2], BLOCKS_MOST);
	state = SEED + blocks.before;
	fd = blocks_open_reads(&blocks, &how);
	read_block(fd, number, block);
	while (bench_next(&b)) {
		const int64_t start = bench_clock();

		number = mix_next(&state) % BLOCKS_MOST;
		read_block(fd, number, block);
		spread_add(&times, (uint64_t)(bench_clock() - start));
		if (block[0] != number)
			bench_wrong("the read of block %" PRIu64 " gave block %" PRIu64, number, block[0]);
	}
	bench_stop(&b);
	/* Every block was told by its number; the last one is looked at whole. */
	blocks_prove(block, number);
	tail_say(&times);
	bench_end(&b);
}
