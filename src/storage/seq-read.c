// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * seq-read - one operation reads the next MB of DIRECTORY/blocks. `direct` bypasses the page cache,
 * and a host or a disk may still have the MB in a cache of its own. `cached` reads as much of the file
 * as the page cache keeps, after it was read once.
 */
#include "storage/shared/chunks.h"
#include "modern/shared/cache.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

enum { LEAST_CACHED = 8 };
static const double ALL = 0.99, MOST = 0.9;

/* Returns whether the page cache has these MB after they were read. */
static bool is_kept(int fd, uint64_t from, uint64_t mb, uint64_t chunk[CHUNK_WORDS])
{
	double share;

	for (; from < mb; from++)
		chunks_read(fd, from, chunk);
	share = cache_share(fd, mb * CHUNK);
	return share < 0 || share >= ALL;
}

/*
 * Reads the file into the page cache, and returns how many MB it keeps: with little memory, reading
 * more of a file drops its beginning.
 */
static uint64_t fill_cache(int fd, uint64_t chunks, uint64_t chunk[CHUNK_WORDS])
{
	uint64_t kept = 0;

	for (uint64_t mb = LEAST_CACHED; mb <= chunks && is_kept(fd, kept, mb, chunk); mb *= 2)
		kept = mb;
	if (kept == 0 || (kept < chunks && !is_kept(fd, 0, kept, chunk)))
		bench_skip("the page cache does not keep %" PRIu64 " MB of a file; free memory, or raise its limit",
			kept > 0 ? kept : LEAST_CACHED);
	return kept;
}

/* Both ends of each MB have the numbers of their blocks; the last MB is compared whole. */
static uint64_t read_all(struct bench *b, int fd, uint64_t first, uint64_t chunks, uint64_t *chunk)
{
	const uint64_t *const end = chunk + CHUNK_WORDS - BLOCK_WORDS;
	uint64_t next = first, number = first;

	while (bench_next(b)) {
		number = next;
		next = number + 1 < chunks ? number + 1 : 0;
		chunks_read(fd, number, chunk);
		if (chunk[0] != number * CHUNK_BLOCKS || *end != (number + 1) * CHUNK_BLOCKS - 1)
			bench_wrong("the read of MB %" PRIu64 " gave other blocks", number);
	}
	return number;
}

static void say_cache(int fd, uint64_t chunks)
{
	const double share = cache_share(fd, chunks * CHUNK);

	if (share >= 0 && share < MOST)
		channel_say("MISSING|cache|only %.0f %% of the file stayed in the page cache", share * 100);
}

int main(int argc, char **argv)
{
	static _Alignas(BLOCK) uint64_t chunk[CHUNK_WORDS];
	const char *how = NULL;
	struct blocks blocks;
	struct bench b;
	uint64_t chunks;
	bool cached;
	int fd;

	bench_begin(&b, argc, argv, "SECONDS DIRECTORY direct|cached");
	if (argc != 4 || (strcmp(argv[3], "direct") != 0 && strcmp(argv[3], "cached") != 0))
		bench_usage();
	cached = strcmp(argv[3], "cached") == 0;
	blocks = chunks_begin(&b, argv[2]);
	chunks = blocks.count / CHUNK_BLOCKS;
	fd = cached ? blocks_open_cached(&blocks, O_RDONLY) : blocks_open_reads(&blocks, &how);
	if (cached)
		chunks = fill_cache(fd, chunks, chunk);
	chunks_prove(chunk, read_all(&b, fd, chunks_first(&blocks, chunks), chunks, chunk));
	if (cached)
		say_cache(fd, chunks);
	chunks_say(chunks, how);
	bench_end(&b);
}
