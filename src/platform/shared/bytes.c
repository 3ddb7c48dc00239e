// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bytes.c - mixes the values of a counter, and writes them octet by octet, so that byte order does
 * not matter.
 */
#include "platform/shared/bytes.h"

static const uint64_t STEP = 0x9e3779b97f4a7c15;

static uint64_t mixed(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

uint64_t bytes_fill(void *to, size_t size, uint64_t seed)
{
	unsigned char *at = to;

	for (size_t done = 0; done < size; seed += STEP) {
		uint64_t word = mixed(seed + STEP);

		for (int i = 0; i < 8 && done < size; i++, word >>= 8)
			at[done++] = (unsigned char)word;
	}
	return seed;
}
