// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * blocks.h - the file `blocks` of a directory that is kept, for the tests that read and write a disk
 * bypassing the page cache. The first process that needs the file makes it; the next ones, which are
 * other copies and later passes, get the number of the processes before them, so that they use other
 * places: a disk remembers the last ones.
 *
 * A block has 4 KB of random numbers, so that no file system can store less of it. Its first three
 * words are its number, the seed of the others, and the round in which it was written.
 */
#ifndef MODERN_BLOCKS_H
#define MODERN_BLOCKS_H

#include <stdint.h>

enum { BLOCK = 4096, BLOCK_WORDS = BLOCK / 8, BLOCKS_MOST = 65536, BLOCKS_LEAST = 8192 };

struct blocks {
	int directory;
	uint64_t count;		/* of blocks in the file */
	uint64_t before;	/* processes that needed the file before this one */
};

void blocks_fill(uint64_t block[BLOCK_WORDS], uint64_t number, uint64_t seed, uint64_t round);
/* Ends the program unless all of this block follows from this number and its own seed and round. */
void blocks_prove(const uint64_t block[BLOCK_WORDS], uint64_t number);
/*
 * Makes the file in this directory unless it is there. It has BLOCKS_MOST blocks, or half, a quarter
 * and so on, but at least `least`, where the file system or the user's limit has room for no more. A
 * smaller one that is there ends the program (77).
 */
struct blocks blocks_make(const char *directory, uint64_t least);
/*
 * Opens the file so that reads and writes bypass the page cache, and `how` tells by what means: direct
 * (O_DIRECT) or nocache (F_NOCACHE). -1: this system or file system cannot do that.
 */
int blocks_open_uncached(const struct blocks *b, int flags, const char **how);
/* The same for reads; it ends the program (77) instead, also where a file system ignores O_DIRECT. */
int blocks_open_reads(const struct blocks *b, const char **how);
int blocks_open_cached(const struct blocks *b, int flags);

#endif
