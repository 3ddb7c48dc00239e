// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * seq-write - one operation writes the next MB of DIRECTORY/blocks over itself, so that the length
 * of the file and its place on the disk stay. The writes bypass the page cache, and a disk may still
 * hold them in a cache of its own. If the file system cannot bypass it, an operation also waits until
 * the disk has the MB (HOW|flushed).
 */
#include "storage/shared/chunks.h"
#include "modern/shared/medium.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { PROVED_MB = 4 };
static const uint64_t SEED = UINT64_C(1) << 63;
static _Alignas(BLOCK) uint64_t chunk[CHUNK_WORDS];

struct target {
	int fd;
	const char *how;
	bool flushed;
	uint64_t chunks, first, round;
};

/* Numbers the blocks of the chunk: a disk that stores equal blocks once stores them all. */
static void number_blocks(uint64_t number, uint64_t round)
{
	for (uint64_t i = 0; i < CHUNK_BLOCKS; i++) {
		chunk[i * BLOCK_WORDS] = number * CHUNK_BLOCKS + i;
		chunk[i * BLOCK_WORDS + 2] = round;
	}
}

/* Writes the chunk of this operation. */
static void write_chunk(const struct target *t, uint64_t operation)
{
	const uint64_t number = (t->first + operation) % t->chunks;

	number_blocks(number, t->round + operation);
	medium_write(t->fd, chunk, CHUNK, number * CHUNK);
	if (t->flushed)
		medium_keep_data(t->fd);
}

/* Some file systems take the flag and refuse the write. */
static bool takes_writes(const struct target *t)
{
	number_blocks(0, t->round);
	return pwrite(t->fd, chunk, CHUNK, 0) != -1 || errno != EINVAL;
}

static void open_target(struct target *t, const struct blocks *blocks)
{
	t->chunks = blocks->count / CHUNK_BLOCKS;
	t->first = chunks_first(blocks, t->chunks);
	t->round = (blocks->before + 1) << 32;
	t->fd = blocks_open_uncached(blocks, O_RDWR, &t->how);
	if (t->fd == -1 && errno != EINVAL)
		bench_fail("cannot open the file that is written");
	if (t->fd == -1 || !takes_writes(t)) {
		t->flushed = true;
		t->how = "flushed";
		t->fd = blocks_open_cached(blocks, O_RDWR);
	}
	errno = 0;
}

/* The last operations are found where they wrote. */
static void prove(const struct target *t, uint64_t operations)
{
	const uint64_t proved = operations < PROVED_MB ? operations : PROVED_MB;

	for (uint64_t operation = operations - proved; operation < operations; operation++) {
		const uint64_t number = (t->first + operation) % t->chunks;

		memset(chunk, 0, CHUNK);
		chunks_read(t->fd, number, chunk);
		chunks_prove(chunk, number);
		for (uint64_t i = 0; i < CHUNK_BLOCKS; i++)
			if (chunk[i * BLOCK_WORDS + 2] != t->round + operation)
				bench_wrong("block %" PRIu64 " is not the last one written",
					number * CHUNK_BLOCKS + i);
	}
}

int main(int argc, char **argv)
{
	struct target target = { .fd = -1 };
	struct blocks blocks;
	struct bench b;
	uint64_t operations = 0;

	bench_begin(&b, argc, argv, "SECONDS DIRECTORY");
	if (argc != 3)
		bench_usage();
	blocks = chunks_begin(&b, argv[2]);
	for (uint64_t i = 0; i < CHUNK_BLOCKS; i++)
		blocks_fill(chunk + i * BLOCK_WORDS, i, SEED + i, 0);
	open_target(&target, &blocks);
	for (; bench_next(&b); operations++)
		write_chunk(&target, operations);
	bench_stop(&b);
	prove(&target, operations);
	chunks_say(target.chunks, target.how);
	bench_end(&b);
}
