// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * json.h - the text that is read, what a reader of it must have seen, and the table of its strings.
 */
#ifndef MODERN_JSON_H
#define MODERN_JSON_H

#include <stddef.h>
#include <stdint.h>

/*
 * Sums are modulo 2^64. The hash of a string is FNV-1a (Fowler, Noll and Vo): each byte is mixed in,
 * then multiplied.
 */
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

enum { TABLE_BITS = 14, TABLE_SLOTS = 1 << TABLE_BITS };

/*
 * Counts strings by their hashes, with open addressing: a string whose slot is taken has the next free
 * one. A slot without a count is free. The text has far fewer different strings than there are
 * slots.
 */
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

enum { TEXT_SIZE = 256 * 1024 };

/*
 * Writes the text, the same one everywhere, and returns its length. A zero byte follows it.
 *
 *	[
 *	{"id": 7, "name": "fjord-kelp-3121", "price": 41.07, "ok": true, "tags": ["cedar"]},
 *	...
 *	]
 */
size_t text_write(char text[TEXT_SIZE], struct sums *sums);

/* Reads the text. Empties the table first. A text that is no JSON ends the program. */
struct sums json_read(const char *text, struct table *table);

#endif
