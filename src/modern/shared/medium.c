// SPDX-License-Identifier: GPL-2.0-or-later
/* medium.c - see medium.h. */
#if defined(__linux__)
#define _DEFAULT_SOURCE
#endif
#include "modern/shared/medium.h"

#include "channel.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#elif defined(__APPLE__)
#include <sys/mount.h>
#include <sys/param.h>
#endif

/* --- whether files of a directory are in memory alone, as far as the system tells */

#if defined(__linux__) || defined(__APPLE__)
static _Noreturn void refuse(const char *type, const char *how)
{
	bench_skip("the work directory is in memory (%s%s), which keeps nothing; use a disk: "
		"UB_TMPDIR=/var/tmp ./Run", how, type);
}
#endif

#if defined(__linux__)
enum { TMPFS = 0x01021994, OVERLAY = 0x794c7630 };
static const unsigned long RAMFS = 0x858458f6, WORD = 0xffffffff;

/* Returns the type of a file system, 0 where it is not known. */
static unsigned long type_at(const char *path)
{
	struct statfs s;

	return statfs(path, &s) == 0 ? (unsigned long)s.f_type & WORD : 0;
}

static void refuse_memory(const char *path, const char *how)
{
	const unsigned long type = type_at(path);

	if (type == TMPFS || type == RAMFS)
		refuse(type == TMPFS ? "tmpfs" : "ramfs", how);
}

/* Writes a path over itself in which the kernel has written a space as \040. */
static void unescape(char *path)
{
	char *to = path;

	for (const char *from = path; *from != '\0'; from++) {
		unsigned octal;

		if (*from == '\\' && sscanf(from + 1, "%3o", &octal) == 1) {
			*to++ = (char)octal;
			from += 3;
		} else {
			*to++ = *from;
		}
	}
	*to = '\0';
}

/*
 * An overlay keeps what is written in another file system, its upper directory. From within a container
 * that may be out of sight, and then its type is not known.
 */
static void refuse_upper(char *line)
{
	char *const upper = strstr(line, "upperdir=");

	if (!upper)
		return;
	upper[strcspn(upper, ",\n")] = '\0';
	unescape(upper);
	refuse_memory(upper + strlen("upperdir="), "overlay on ");
}

/*
 * A line: 36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
 */
static void look_below(const char *directory)
{
	FILE *const mounts = fopen("/proc/self/mountinfo", "r");
	struct stat s;
	char *line = NULL;
	size_t room = 0;
	unsigned major, minor;

	if (!mounts || stat(directory, &s) == -1)
		return;
	while (getline(&line, &room, mounts) != -1)
		if (sscanf(line, "%*d %*d %u:%u", &major, &minor) == 2 && major == major(s.st_dev)
				&& minor == minor(s.st_dev))
			refuse_upper(line);
	free(line);
	fclose(mounts);
}

static void refuse_if_in_memory(const char *directory)
{
	refuse_memory(directory, "");
	if (type_at(directory) == OVERLAY)
		look_below(directory);
}
#elif defined(__APPLE__)
static void refuse_if_in_memory(const char *directory)
{
	struct statfs s;

	if (statfs(directory, &s) == 0 && strcmp(s.f_fstypename, "tmpfs") == 0)
		refuse(s.f_fstypename, "");
}
#else
static void refuse_if_in_memory(const char *directory)
{
	(void)directory;
}
#endif

/* --- files on a medium */

void medium_needed(const char *directory)
{
	refuse_if_in_memory(directory);
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
