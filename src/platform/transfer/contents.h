// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * contents.h - what is in the files: consecutive parts of one stream of bytes in which no
 * compressor finds anything, and the checksum of each.
 */
#ifndef TRANSFER_CONTENTS_H
#define TRANSFER_CONTENTS_H

#include <stddef.h>
#include <stdint.h>

struct contents {
	unsigned char *bytes;	/* the stream is these again and again */
	uint64_t stride;	/* from the start of a file to that of the next, in the stream */
	uint64_t *sums;		/* by number of a file */
};

/* Ends the program where there is no memory. Takes as long as to read all files from memory. */
void contents_make(struct contents *c, uint64_t bytes, int files);
/* The bytes of a file from `done` on: how many are there in one piece, at most `most`. */
size_t contents_piece(const struct contents *c, int number, uint64_t done, uint64_t most,
	const unsigned char **from);

#endif
