// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * checksum.h - 64 bits that depend on the bytes of a file and their order, computed as fast as
 * memory is read. They also depend on the machine's byte order.
 */
#ifndef TRANSFER_CHECKSUM_H
#define TRANSFER_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/*
 * The lanes are computed side by side. The size of each piece but the last is a multiple of
 * CHECKSUM_BLOCK.
 */
enum { CHECKSUM_LANES = 4, CHECKSUM_BLOCK = CHECKSUM_LANES * 8 };

struct checksum {
	uint64_t lane[CHECKSUM_LANES];
	uint64_t bytes;
};

void checksum_begin(struct checksum *s);
void checksum_add(struct checksum *s, const void *bytes, size_t size);
uint64_t checksum_end(const struct checksum *s);

/*
 * The data in the files: consecutive parts of one stream of incompressible bytes, and the checksum
 * of each part.
 */
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
