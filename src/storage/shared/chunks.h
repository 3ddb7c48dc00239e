// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chunks.h - the file of blocks.h in chunks of 1 MB, for tests that read or write it in its order. A
 * program reports
 *
 *	FIGURE|size|256|each		the MB of the file that it uses
 */
#ifndef CHECK_CHUNKS_H
#define CHECK_CHUNKS_H
#include "bench.h"
#include "modern/shared/blocks.h"

enum { CHUNK_BLOCKS = 256, CHUNK = CHUNK_BLOCKS * BLOCK, CHUNK_WORDS = CHUNK_BLOCKS * BLOCK_WORDS };

/* Makes the file, the result MB (10^6 bytes) per second, and an operation a chunk. */
struct blocks chunks_begin(struct bench *b, const char *directory);
/* Returns the chunk with which this process begins. */
uint64_t chunks_first(const struct blocks *b, uint64_t chunks);
/* Reads all of a chunk, or ends the program. */
void chunks_read(int fd, uint64_t chunk, uint64_t to[CHUNK_WORDS]);
/* Looks at every word. */
void chunks_prove(const uint64_t found[CHUNK_WORDS], uint64_t chunk);
void chunks_say(uint64_t chunks, const char *how);

#endif
