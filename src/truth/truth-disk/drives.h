// SPDX-License-Identifier: GPL-2.0-or-later
/* drives.h - what drives counted, from files such as /sys/block/vda/stat. */
#ifndef DRIVES_H
#define DRIVES_H

#include <stdint.h>

/* The places of some fields, and how many there are since Linux 5.5. */
enum { DRIVES_WRITES = 4, DRIVES_FLUSHES = 15, DRIVES_FLUSH_MS = 16, DRIVES_FIELDS = 17, DRIVES_MOST = 64 };

struct drives {
	uint64_t field[DRIVES_MOST][DRIVES_FIELDS];
	int count;
};

/* Looks at all drives of a list with commas; the count is 0 where one of them does not tell. */
void drives_look(const char *stats, struct drives *c);
/* The least and the most that a drive counted between two looks. */
uint64_t drives_least(const struct drives *from, const struct drives *to, int field);
uint64_t drives_most(const struct drives *from, const struct drives *to, int field);

#endif
