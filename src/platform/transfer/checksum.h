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

#endif
