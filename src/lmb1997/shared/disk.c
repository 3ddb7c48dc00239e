// SPDX-License-Identifier: GPL-2.0-or-later
/* disk.c - see disk.h. */
#include "lmb1997/shared/disk.h"
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int disk_open(void)
{
	char name[] = "lmb1997.XXXXXX";
	const int fd = mkstemp(name);

	if (fd == -1)
		bench_fail("cannot make a file in the working directory");
	if (unlink(name) == -1)
		bench_fail("cannot remove the name of a file in the working directory");
	return fd;
}

/* An almost full disk accepts a part, and reports the cause when it gets the rest. */
void disk_put(int fd, const void *from, size_t size, int64_t place)
{
	const char *left = from;

	while (size > 0) {
		const ssize_t n = pwrite(fd, left, size, (off_t)place);

		if (n == 0)
			errno = 0;
		if (n <= 0)
			bench_fail("cannot write to a file in the working directory");
		left += n;
		size -= (size_t)n;
		place += n;
	}
}

void disk_get(int fd, void *to, size_t size, int64_t place)
{
	char *left = to;

	while (size > 0) {
		const ssize_t n = pread(fd, left, size, (off_t)place);

		if (n == -1)
			bench_fail("cannot read from a file in the working directory");
		if (n == 0)
			bench_wrong("a file in the working directory is too short");
		left += n;
		size -= (size_t)n;
		place += n;
	}
}

void disk_empty(int fd)
{
	if (ftruncate(fd, 0) == -1)
		bench_fail("cannot empty a file in the working directory");
}

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

void disk_sync(int fd)
{
	if (sync_data(fd) == -1)
		bench_fail("cannot sync a file in the working directory");
}

#if defined(POSIX_FADV_DONTNEED)
void disk_forget(int fd)
{
	errno = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	if (errno != 0)
		bench_fail("cannot drop a file in the working directory from the cache");
}
#else
void disk_forget(int fd)
{
	(void)fd;
}
#endif

void disk_try(int64_t size)
{
	static const char zeros[65536];
	const int64_t most = sizeof zeros;
	const int fd = disk_open();

	for (int64_t done = 0; done < size; done += most)
		disk_put(fd, zeros, (size_t)(size - done < most ? size - done : most), done);
	close(fd);
}
