// SPDX-License-Identifier: GPL-2.0-or-later
/* drives.c - reads the counters of drives. */
#include "truth/truth-disk/drives.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PATH = 4096 };

/* False where the file has fewer fields, as before Linux 5.5, or cannot be read. */
static bool read_fields(const char *path, uint64_t field[DRIVES_FIELDS])
{
	FILE *in = fopen(path, "r");
	int known = 0;

	if (!in)
		return false;
	while (known < DRIVES_FIELDS && fscanf(in, "%" SCNu64, &field[known]) == 1)
		known++;
	fclose(in);
	return known == DRIVES_FIELDS;
}

void drives_look(const char *stats, struct drives *c)
{
	char path[PATH];

	c->count = 0;
	while (*stats != '\0' && c->count < DRIVES_MOST) {
		size_t length = strcspn(stats, ",");

		if (length >= sizeof path)
			break;
		memcpy(path, stats, length);
		path[length] = '\0';
		if (!read_fields(path, c->field[c->count]))
			break;
		c->count++;
		stats += length + (stats[length] == ',');
	}
	if (*stats != '\0')
		c->count = 0;
}

uint64_t drives_least(const struct drives *from, const struct drives *to, int field)
{
	uint64_t found = UINT64_MAX;

	for (int drive = 0; drive < to->count; drive++) {
		uint64_t counted = to->field[drive][field] - from->field[drive][field];

		if (counted < found)
			found = counted;
	}
	return found;
}

uint64_t drives_most(const struct drives *from, const struct drives *to, int field)
{
	uint64_t found = 0;

	for (int drive = 0; drive < to->count; drive++) {
		uint64_t counted = to->field[drive][field] - from->field[drive][field];

		if (counted > found)
			found = counted;
	}
	return found;
}
