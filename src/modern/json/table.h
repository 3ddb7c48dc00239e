// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * table.h - counts strings by their hashes, with open addressing: a string whose slot is taken has
 * the next free one.
 */
#ifndef MODERN_JSON_TABLE_H
#define MODERN_JSON_TABLE_H

#include <stdint.h>

enum { TABLE_BITS = 14, TABLE_SLOTS = 1 << TABLE_BITS };

/* A slot without a count is free. The text has far fewer different strings than there are slots. */
struct table {
	struct slot {
		uint64_t hash, count;
	} slot[TABLE_SLOTS];
};

/* The first slot to look at is chosen by the upper bits, which FNV-1a mixes best. */
static inline void table_count(struct table *t, uint64_t hash)
{
	uint64_t i = hash >> (64 - TABLE_BITS);

	while (t->slot[i].count != 0 && t->slot[i].hash != hash)
		i = (i + 1) % TABLE_SLOTS;
	t->slot[i].hash = hash;
	t->slot[i].count++;
}

#endif
