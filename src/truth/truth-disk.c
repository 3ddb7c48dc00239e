// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * truth-disk - one operation is a commit: it writes 4 KB to the same place of a file and waits until the
 * system says that they are on the disk. What the drives below the file counted meanwhile, which are the
 * STATS, tells whether they were asked to flush. It is no test of how fast a disk is.
 */
#include "bench.h"
#include "spread.h"
#include "truth/truth-disk/drives.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 4096, BLOCKS = 64, PATH = 4096 };

static struct spread commits, writes;

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

static void tell(const struct drives *from, const struct drives *to)
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
		bench_wrong("the file has not what was written to it");
	tell(&from, &to);
	bench_end(&b);
}
