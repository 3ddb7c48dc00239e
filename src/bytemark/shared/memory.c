// SPDX-License-Identifier: GPL-2.0-or-later
/* memory.c - see memory.h. */
#include "bytemark/shared/memory.h"

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

enum { LINE = 16, OFFSET = 8 };	/* bytes */
static const uint64_t FNV_START = UINT64_C(0xcbf29ce484222325), FNV_PRIME = UINT64_C(0x100000001b3);

void *memory_get(size_t bytes)
{
	unsigned char *block = malloc(bytes + LINE);

	if (!block)
		bench_fail("no memory for %zu bytes", bytes);
	return block + (LINE + OFFSET - (uintptr_t)block % LINE) % LINE;
}

uint64_t memory_hash(const void *bytes, size_t n)
{
	const unsigned char *at = bytes;
	uint64_t hash = FNV_START;

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ at[i]) * FNV_PRIME;
	return hash;
}

bool memory_order_is_known(const char *what)
{
	static bool said;

	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
		return true;
	if (!said)
		printf("not checked on this machine, whose bytes have another order: %s\n", what);
	said = true;
	return false;
}
