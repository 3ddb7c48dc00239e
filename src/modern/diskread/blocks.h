// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * blocks.h - the file that is read, 256 MB of blocks of 4 KB. The first process that needs it makes
 * it, and others find it. The file blocks.lock beside it counts them.
 */
#ifndef DISKREAD_BLOCKS_H
#define DISKREAD_BLOCKS_H

#include <stdint.h>

enum { BLOCK = 4096, WORDS = BLOCK / 8, BLOCKS = 65536 };
#define BLOCKS_NAME "blocks"

/*
 * Writes what this block holds: random numbers that begin with its own number, so that no file system
 * can store less of it.
 */
void blocks_fill(uint64_t block[WORDS], uint64_t number);
/*
 * Makes the file in this directory unless it is there, and returns how many processes called this for
 * it before.
 */
uint64_t blocks_make(int directory);

#endif
