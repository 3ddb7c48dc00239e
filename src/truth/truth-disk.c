// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * truth-disk - one operation is a commit: it writes 4 KB to the same place of a file and waits until the
 * system says that they are on the disk. What the drives below the file counted meanwhile, which are the
 * STATS, tells whether they were asked to flush. It is no test of how fast a disk is.
 */
#include "bench.h"
#include "spread.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 4096, BLOCKS = 64, PATH = 4096 };

static struct spread commits, writes;

/* --- what drives counted, from files such as /sys/block/vda/stat */

/* The places of some fields, and how many there are since Linux 5.5. */
enum { DRIVES_WRITES = 4, DRIVES_FLUSHES = 15, DRIVES_FLUSH_MS = 16, DRIVES_FIELDS = 17, DRIVES_MOST = 64 };

struct drives {
	uint64_t field[DRIVES_MOST][DRIVES_FIELDS];
	int count;
};

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

/* Looks at all drives of a list with commas; the count is 0 where one of them does not tell. */
static void drives_look(const char *stats, struct drives *c)
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

/* The least and the most that a drive counted between two looks. */
static uint64_t drives_least(const struct drives *from, const struct drives *to, int field)
{
	uint64_t found = UINT64_MAX;

	for (int drive = 0; drive < to->count; drive++) {
		uint64_t counted = to->field[drive][field] - from->field[drive][field];

		if (counted < found)
			found = counted;
	}
	return found;
}

static uint64_t drives_most(const struct drives *from, const struct drives *to, int field)
{
	uint64_t found = 0;

	for (int drive = 0; drive < to->count; drive++) {
		uint64_t counted = to->field[drive][field] - from->field[drive][field];

		if (counted > found)
			found = counted;
	}
	return found;
}

/* --- the commits */

#if defined(_POSIX_SYNCHRONIZED_IO) && _POSIX_SYNCHRONIZED_IO > 0
static int sync_data(int fd)
{
	return fdatasync(fd);
}
#else
static int sync_data(int fd)
{
	return fsync(fd);
}
#endif

static void report(const struct drives *from, const struct drives *to)
{
	channel_say("FIGURE|commits|%" PRIu64, commits.count);
	channel_say("FIGURE|commit_ns|%.0f", spread_at(&commits, 0.5));
	channel_say("FIGURE|write_ns|%.0f", spread_at(&writes, 0.5));
	channel_say("FIGURE|drives|%d", to->count);
	if (to->count == 0 || from->count != to->count)
		return;
	channel_say("FIGURE|flushes|%" PRIu64, drives_least(from, to, DRIVES_FLUSHES));
	channel_say("FIGURE|flush_ms|%" PRIu64, drives_most(from, to, DRIVES_FLUSH_MS));
	channel_say("FIGURE|drive_writes|%" PRIu64, drives_most(from, to, DRIVES_WRITES));
}

/* A file that has its blocks already, so that a commit changes nothing else than data. */
static int make_file(const char *directory, const char *block)
{
	char path[PATH];
	int fd;

	if ((size_t)snprintf(path, sizeof path, "%s/truth-disk", directory) >= sizeof path)
		bench_fail("the name of the directory is too long");
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd == -1 || unlink(path) == -1)
		bench_fail("cannot make '%s'", path);
	for (int i = 0; i < BLOCKS; i++)
		if (write(fd, block, BLOCK) != BLOCK)
			bench_fail("cannot write to '%s'", path);
	if (fsync(fd) == -1)
		bench_fail("cannot flush '%s'", path);
	return fd;
}

int main(int argc, char **argv)
{
	static struct drives from, to;
	static char block[BLOCK], back[BLOCK];
	const char *stats = argc > 3 ? argv[3] : "";
	struct bench b;
	int fd;

	bench_begin(&b, argc, argv, "SECONDS DIRECTORY [STATS]");
	if (argc < 3 || argc > 4)
		bench_usage();
	fd = make_file(argv[2], block);
	drives_look(stats, &from);
	while (bench_next(&b)) {
		int64_t before = bench_clock(), written;

		memcpy(block, &before, sizeof before);
		if (pwrite(fd, block, BLOCK, 0) != BLOCK)
			bench_fail("cannot write to the file");
		written = bench_clock();
		if (sync_data(fd) == -1)
			bench_fail("cannot flush the file");
		spread_add(&commits, (uint64_t)(bench_clock() - before));
		spread_add(&writes, (uint64_t)(written - before));
	}
	drives_look(stats, &to);
	if (pread(fd, back, BLOCK, 0) != BLOCK || memcmp(back, block, BLOCK) != 0)
		bench_wrong("the file differs from the data written to it");
	report(&from, &to);
	bench_end(&b);
}
