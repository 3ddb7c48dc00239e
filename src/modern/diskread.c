// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * diskread - one operation reads 4 KB at a random place of DIRECTORY/blocks, 256 MB, past the cache of
 * this system, and waits for them: no second read is on its way meanwhile. A host or a disk may still
 * have them in a cache of its own. The first process that needs the file makes it. The next ones, which
 * are other copies and later passes, read other places: a disk remembers the last ones.
 */
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "bench.h"
#include "mix.h"
#include "modern/diskread/blocks.h"
#include "modern/shared/medium.h"
#include "modern/shared/tail.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

static const uint64_t SEED = 7;
static struct spread times;

#if defined(O_DIRECT)
static int open_past_cache(int directory)
{
	const int fd = openat(directory, BLOCKS_NAME, O_RDONLY | O_DIRECT | O_CLOEXEC);

	if (fd == -1 && errno == EINVAL)
		bench_skip("this file system has no reads past the cache (O_DIRECT); use another: "
			"UB_TMPDIR=/var/tmp ./Run");
	if (fd == -1)
		bench_fail("cannot open the file that is read");
	return fd;
}
#else
static int open_past_cache(int directory)
{
	(void)directory;
	bench_skip("this system has no reads past the cache (O_DIRECT)");
}
#endif

static void read_block(int fd, uint64_t number, uint64_t block[WORDS])
{
	const ssize_t n = pread(fd, block, BLOCK, (off_t)(number * BLOCK));

	if (n == -1 && errno == EINVAL)
		bench_skip("this file system refuses reads of 4 KB past the cache (O_DIRECT)");
	if (n != BLOCK)
		bench_fail("cannot read block %" PRIu64, number);
}

/* Every block was told by its number; the last one is looked at whole. */
static void prove(const uint64_t *found, uint64_t number)
{
	uint64_t block[WORDS];

	blocks_fill(block, number);
	for (int i = 0; i < WORDS; i++)
		if (found[i] != block[i])
			bench_wrong("block %" PRIu64 " is not what was written", number);
}

int main(int argc, char **argv)
{
	static _Alignas(BLOCK) uint64_t block[WORDS];
	struct bench b;
	uint64_t state, number = 0;
	int directory, fd;

	bench_begin(&b, argc, argv, "SECONDS DIRECTORY");
	if (argc != 3)
		bench_usage();
	medium_needed(argv[2]);
	directory = open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (directory == -1)
		bench_fail("cannot open the directory '%.300s'", argv[2]);
	state = SEED + blocks_make(directory);
	fd = open_past_cache(directory);
	read_block(fd, number, block);
	while (bench_next(&b)) {
		const int64_t begun = bench_clock();

		number = mix_next(&state) % BLOCKS;
		read_block(fd, number, block);
		spread_add(&times, (uint64_t)(bench_clock() - begun));
		if (block[0] != number)
			bench_wrong("the read of block %" PRIu64 " gave block %" PRIu64, number, block[0]);
	}
	bench_stop(&b);
	prove(block, number);
	tail_say(&times);
	bench_end(&b);
}
