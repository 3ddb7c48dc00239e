// SPDX-License-Identifier: GPL-2.0-or-later
/* chunks.c - see chunks.h. */
#include "storage/shared/chunks.h"

#include "mix.h"
#include "modern/shared/medium.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

static const uint64_t SEED = 11;
static const double MB = 1e6;

struct blocks chunks_begin(struct bench *b, const char *directory)
{
	b->unit = "MBps";
	b->timebase = 0;
	b->amount = CHUNK / MB;
	medium_needed(directory);
	return blocks_make(directory, BLOCKS_LEAST);
}

uint64_t chunks_first(const struct blocks *b, uint64_t chunks)
{
	uint64_t state = SEED + b->before;

	return mix_next(&state) % chunks;
}

void chunks_read(int fd, uint64_t chunk, uint64_t to[CHUNK_WORDS])
{
	for (size_t have = 0; have < CHUNK;) {
		const ssize_t n = pread(fd, (char *)to + have, CHUNK - have, (off_t)(chunk * CHUNK + have));

		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1 && errno == EINVAL)
			bench_skip("this file system refuses reads of 1 MB past the cache (O_DIRECT)");
		if (n <= 0)
			bench_fail("cannot read MB %" PRIu64 " of the file", chunk);
		have += (size_t)n;
	}
}

void chunks_prove(const uint64_t found[CHUNK_WORDS], uint64_t chunk)
{
	for (uint64_t i = 0; i < CHUNK_BLOCKS; i++)
		blocks_prove(found + i * BLOCK_WORDS, chunk * CHUNK_BLOCKS + i);
}

void chunks_say(uint64_t chunks, const char *how)
{
	channel_say("FIGURE|size|%" PRIu64 "|each", chunks);
	if (how)
		channel_say("HOW|%s", how);
}
