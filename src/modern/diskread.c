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
#include "modern/shared/medium.h"
#include "modern/shared/tail.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 4096, WORDS = BLOCK / 8, BLOCKS = 65536, AT_ONCE = 256 };
static const char NAME[] = "blocks";
static const char PART[] = "blocks.part", LOCK[] = "blocks.lock";
static const uint64_t SEED = 7;
static struct spread times;

/* --- the file that is read; the file of the lock beside it counts the processes that needed it */

/*
 * Writes what this block holds: random numbers that begin with its own number, so that no file system
 * can store less of it.
 */
static void blocks_fill(uint64_t block[WORDS], uint64_t number)
{
	uint64_t state = number;

	block[0] = number;
	for (int i = 1; i < WORDS; i++)
		block[i] = mix_next(&state);
}

static void write_blocks(int fd)
{
	static uint64_t blocks[AT_ONCE][WORDS];

	for (uint64_t first = 0; first < BLOCKS; first += AT_ONCE) {
		for (uint64_t i = 0; i < AT_ONCE; i++)
			blocks_fill(blocks[i], first + i);
		medium_write(fd, blocks, sizeof blocks, first * BLOCK);
	}
	medium_keep(fd);
}

static int open_in(int directory, const char *name, int flags)
{
	const int fd = openat(directory, name, flags | O_CLOEXEC, 0600);

	if (fd == -1)
		bench_fail("cannot make a file in the directory that is kept");
	return fd;
}

static bool is_there(int directory)
{
	struct stat s;

	return fstatat(directory, NAME, &s, 0) == 0;
}

/* Returns how many processes counted themselves in the file of the lock before this one. */
static uint64_t count_processes(int lock)
{
	uint64_t before = 0, now;
	const ssize_t n = read(lock, &before, sizeof before);

	if (n != sizeof before && n != 0)
		bench_fail("cannot read a file in the directory that is kept");
	now = before + 1;
	medium_write(lock, &now, sizeof now, 0);
	return before;
}

/*
 * Makes the file in this directory unless it is there, and returns how many processes called this for
 * it before. The file has its name when it is complete, so what a process left that was killed is
 * overwritten.
 */
static uint64_t blocks_make(int directory)
{
	uint64_t before;

	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	const int lock = open_in(directory, LOCK, O_RDWR | O_CREAT);

	while (fcntl(lock, F_SETLKW, &whole) == -1)
		if (errno != EINTR)
			bench_fail("cannot lock a file in the directory that is kept");
	if (!is_there(directory)) {
		const int fd = open_in(directory, PART, O_WRONLY | O_CREAT | O_TRUNC);

		write_blocks(fd);
		if (close(fd) == -1 || renameat(directory, PART, directory, NAME) == -1)
			bench_fail("cannot make a file in the directory that is kept");
	}
	before = count_processes(lock);
	close(lock);
	errno = 0;
	return before;
}

/* --- the reads */

#if defined(O_DIRECT)
static int open_past_cache(int directory)
{
	const int fd = openat(directory, NAME, O_RDONLY | O_DIRECT | O_CLOEXEC);

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
			bench_wrong("block %" PRIu64 " differs from the data written", number);
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
		const int64_t start = bench_clock();

		number = mix_next(&state) % BLOCKS;
		read_block(fd, number, block);
		spread_add(&times, (uint64_t)(bench_clock() - start));
		if (block[0] != number)
			bench_wrong("the read of block %" PRIu64 " gave block %" PRIu64, number, block[0]);
	}
	bench_stop(&b);
	prove(block, number);
	tail_say(&times);
	bench_end(&b);
}
