// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * commit - one operation is what a database does for a commit: it writes 4 KB at the next place of a
 * log of 16 MB and waits until the medium has them. The log was written before, so that its length
 * and its place on the medium stay. No other commit shares the wait.
 */
#include "bench.h"
#include "mix.h"
#include "modern/shared/medium.h"
#include "modern/shared/tail.h"
#include "tidy.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 4096, WORDS = BLOCK / 8, BLOCKS = 4096 };
static const char LOG[] = "commit.log";
static struct spread times;
static uint64_t block[WORDS];
static const uint64_t SEED = 5;

static void remove_log(void)
{
	unlink(LOG);
}

/* Both ends of a block are its number, so that half a block is no block. */
static void number_block(uint64_t number)
{
	block[0] = block[WORDS - 1] = number;
}

static void write_block(int fd, uint64_t number)
{
	number_block(number);
	medium_write(fd, block, BLOCK, number % BLOCKS * BLOCK);
}

/* Returns the log, on its medium with the blocks 0 to BLOCKS - 1. */
static int make_log(void)
{
	uint64_t state = SEED;
	int fd;

	bench_tidy(remove_log);
	fd = open(LOG, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd == -1)
		bench_fail("cannot make a file in the work directory");
	for (int i = 0; i < WORDS; i++)
		block[i] = mix_next(&state);
	for (uint64_t number = 0; number < BLOCKS; number++)
		write_block(fd, number);
	medium_keep(fd);
	return fd;
}

/* Every place of the log has the last block that was written there. */
static void prove(int fd, uint64_t numbers)
{
	static uint64_t found[WORDS];

	for (uint64_t number = numbers - BLOCKS; number < numbers; number++) {
		errno = 0;
		if (pread(fd, found, BLOCK, (off_t)(number % BLOCKS * BLOCK)) != BLOCK)
			bench_fail("cannot read block %" PRIu64, number);
		number_block(number);
		if (memcmp(found, block, BLOCK) != 0)
			bench_wrong("block %" PRIu64 " of the log differs from the data written", number);
	}
}

int main(int argc, char **argv)
{
	struct bench b;
	uint64_t number = BLOCKS;
	int fd;

	bench_begin(&b, argc, argv, NULL);
	medium_needed(".");
	fd = make_log();
	for (; bench_next(&b); number++) {
		const int64_t start = bench_clock();

		write_block(fd, number);
		medium_keep_data(fd);
		spread_add(&times, (uint64_t)(bench_clock() - start));
	}
	bench_stop(&b);
	prove(fd, number);
	tail_say(&times);
	bench_end(&b);
}
