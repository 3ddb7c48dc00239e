// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bytes.c - mixes the values of a counter, and writes them octet by octet, so that byte order does
 * not matter.
 */
#include "platform/shared/bytes.h"
#include "mix.h"

uint64_t bytes_fill(void *to, size_t size, uint64_t seed)
{
	unsigned char *at = to;

	for (size_t done = 0; done < size;) {
		uint64_t word = mix_next(&seed);

		for (int i = 0; i < 8 && done < size; i++, word >>= 8)
			at[done++] = (unsigned char)word;
	}
	return seed;
}
