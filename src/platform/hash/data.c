// SPDX-License-Identifier: GPL-2.0-or-later
/* data.c - see data.h. */
#include "platform/hash/data.h"
#include "bench.h"
#include "platform/shared/bytes.h"
#include "platform/shared/growth.h"
#include "tidy.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* PAGE: no system has smaller pages. */
enum { BLOCK = 1048576, PAGE = 4096 };

/*
 * A directory that begins with a dash would be an option for the command, so it gets a leading
 * "./".
 */
static char *path_of(const char *directory, const char *name)
{
	const char *const here = directory[0] == '-' ? "./" : "";
	const size_t size = strlen(here) + strlen(directory) + strlen(name) + 2;
	char *const path = malloc(size);

	if (!path)
		bench_fail("no memory for a path");
	snprintf(path, size, "%s%s/%s", here, directory, name);
	return path;
}

static bool is_whole(const char *path, int64_t size)
{
	struct stat s;

	if (stat(path, &s) == 0)
		return S_ISREG(s.st_mode) && s.st_size == size;
	if (errno != ENOENT)
		bench_fail("cannot look at '%.300s'", path);
	errno = 0;
	return false;
}

#if defined(_SC_PHYS_PAGES)
static double memory(void)
{
	return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}
#else
static double memory(void)
{
	return 0;
}
#endif

/* Only free space is checked: quotas and other writers show when the file is written. */
static void check_room(const char *directory, int64_t size)
{
	const double installed = memory();
	struct statvfs s;
	double room;

	if (installed > 0 && installed < (double)size)
		bench_fail("a file of %" PRId64 " bytes must stay in memory, of which there are "
			"%.0f bytes", size, installed);
	if (statvfs(directory, &s) == -1)
		bench_fail("cannot make a file in '%.300s'", directory);
	room = (double)s.f_bavail * (double)s.f_frsize;
	if (room < (double)size)
		bench_fail("a file of %" PRId64 " bytes is needed in '%.300s', where %.0f bytes "
			"are free", size, directory, room);
}

static bool put(int fd, const unsigned char *from, size_t size)
{
	while (size > 0) {
		const ssize_t n = write(fd, from, size);

		if (n == -1 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		from += n;
		size -= (size_t)n;
	}
	return true;
}

static bool fill(int fd, int64_t size)
{
	static unsigned char block[BLOCK];
	uint64_t seed = 0;

	for (int64_t left = size; left > 0; left -= BLOCK) {
		const size_t n = left < BLOCK ? (size_t)left : BLOCK;

		seed = bytes_fill(block, n, seed);
		if (!put(fd, block, n))
			return false;
	}
	return true;
}

/* Path of the unfinished file; NULL if there is none. */
static char *volatile part;

static void remove_part(void)
{
	if (part)
		unlink(part);
}

/*
 * The file gets its final name when it is complete. A part that an earlier process left is
 * overwritten.
 */
static void make(const char *directory, const char *path, int64_t size)
{
	char *const new = path_of(directory, "data.part");
	int fd;

	check_room(directory, size);
	part = new;
	bench_tidy(remove_part);
	fd = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd == -1)
		bench_fail("cannot make a file in '%.300s'", directory);
	if (!fill(fd, size) || close(fd) == -1 || rename(new, path) == -1)
		bench_fail("cannot write a file of %" PRId64 " bytes in '%.300s'", size, directory);
	part = NULL;
	free(new);
}

/* The lock is held until the descriptor is closed, by whatever ends the process. */
static int lock(const char *directory)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char *const path = path_of(directory, "data.lock");
	const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd == -1)
		bench_fail("cannot make a file in '%.300s'", directory);
	while (fcntl(fd, F_SETLKW, &whole) == -1)
		if (errno != EINTR)
			bench_fail("cannot lock '%.300s'", path);
	free(path);
	return fd;
}

/*
 * The mapping is shared and so uses the page cache itself, which many copies need in memory only
 * once. Every page is touched, so that data is read from the disk now, and no page fault happens
 * while the clock runs.
 */
static const void *mapped(const char *path, size_t size)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const volatile unsigned char *bytes;

	if (fd == -1)
		bench_fail("cannot open '%.300s'", path);
	bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	if (bytes == MAP_FAILED)
		bench_fail("cannot map %zu bytes of '%.300s' into memory", size, path);
	close(fd);
	for (size_t at = 0; at < size; at += PAGE)
		(void)bytes[at];
	return (const void *)bytes;
}

struct input data_ready(const char *directory, int64_t size)
{
	char *const path = path_of(directory, "data");

	growth_fails_with_errno();
	if (!is_whole(path, size)) {
		const int locked = lock(directory);

		if (!is_whole(path, size))
			make(directory, path, size);
		close(locked);
	}
	return (struct input){ path, mapped(path, (size_t)size), (size_t)size };
}
