// SPDX-License-Identifier: GPL-2.0-or-later
/* bytes.h - bytes that are the same on every machine and that no compressor makes smaller. */
#ifndef BYTES_H
#define BYTES_H

#include "mix.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Fills `to` with the mixed values of a counter, octet by octet, so that byte order does not matter,
 * and returns the seed for the bytes that follow. All pieces but the last must have a multiple of 8
 * bytes.
 */
static inline uint64_t bytes_fill(void *to, size_t size, uint64_t seed)
{
	unsigned char *at = to;

	for (size_t done = 0; done < size;) {
		uint64_t word = mix_next(&seed);

		for (int i = 0; i < 8 && done < size; i++, word >>= 8)
			at[done++] = (unsigned char)word;
	}
	return seed;
}

#endif
