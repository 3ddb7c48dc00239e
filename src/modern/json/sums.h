// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sums.h - what a reader of the text must have seen. The hash of a string is FNV-1a (Fowler, Noll
 * and Vo): each byte is mixed in, then multiplied.
 */
#ifndef MODERN_JSON_SUMS_H
#define MODERN_JSON_SUMS_H

#include <stdint.h>

/* Sums are modulo 2^64. */
struct sums {
	uint64_t objects;
	uint64_t whole;		/* sum of the numbers without a point */
	uint64_t cents;		/* sum of those with two decimals */
	uint64_t trues;
	uint64_t strings;	/* names in objects among them */
	uint64_t hashes;	/* sum of the hashes of the strings */
};

static const uint64_t HASH_START = UINT64_C(0xcbf29ce484222325);

static inline uint64_t hash_byte(uint64_t hash, char byte)
{
	return (hash ^ (unsigned char)byte) * UINT64_C(0x100000001b3);
}

#endif
