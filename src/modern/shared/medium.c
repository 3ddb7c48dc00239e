// SPDX-License-Identifier: GPL-2.0-or-later
/* medium.c - see medium.h. */
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE
#endif
#include "modern/shared/medium.h"

#include "channel.h"
#include "modern/shared/in-memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

void medium_needed(const char *directory)
{
	in_memory_refuse(directory);
	signal(SIGXFSZ, SIG_IGN);
	errno = 0;
}

void medium_write(int fd, const void *from, size_t size, uint64_t place)
{
	const char *at = from;

	while (size > 0) {
		const ssize_t n = pwrite(fd, at, size, (off_t)place);

		if (n == -1 && errno == EINTR)
			continue;
		if (n <= 0)
			bench_fail("cannot write to a file in the work directory");
		at += n;
		place += (uint64_t)n;
		size -= (size_t)n;
	}
}

/* Some file systems of networks and hosts cannot flush at all, or no directory. */
static _Noreturn void cannot_flush(const char *what)
{
	if (errno == EINVAL || errno == ENOSYS || errno == ENOTSUP)
		bench_skip("this file system cannot flush %s to its medium; use another: "
			"UB_TMPDIR=/var/tmp ./Run", what);
	bench_fail("cannot flush %s of the work directory to its medium", what);
}

#if defined(__APPLE__)
/* On this system fsync leaves the data in the cache of the disk. */
void medium_keep(int fd)
{
	if (fcntl(fd, F_FULLFSYNC) == -1)
		cannot_flush("a file");
}

void medium_keep_data(int fd)
{
	medium_keep(fd);
}
#else
void medium_keep(int fd)
{
	if (fsync(fd) == -1)
		cannot_flush("a file");
}

void medium_keep_data(int fd)
{
	if (fdatasync(fd) == -1)
		cannot_flush("the data of a file");
}
#endif
