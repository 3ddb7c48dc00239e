// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * contents.h - the data in the files: consecutive parts of one stream of incompressible bytes, and
 * the checksum of each part.
 */
#ifndef TRANSFER_CONTENTS_H
#define TRANSFER_CONTENTS_H

#include <stddef.h>
#include <stdint.h>

struct contents {
	unsigned char *bytes;	/* repeated to make the stream */
	uint64_t stride;	/* distance between the starts of two files, in the stream */
	uint64_t *sums;		/* for each file, by its number */
};

/* Ends the program if there is no memory. This takes as long as reading all files from memory. */
void contents_make(struct contents *c, uint64_t bytes, int files);
/*
 * Sets `from` to the bytes of a file at offset `done`, and returns how many are there in one
 * piece, but at most `most`.
 */
size_t contents_piece(const struct contents *c, int number, uint64_t done, uint64_t most,
	const unsigned char **from);

#endif
