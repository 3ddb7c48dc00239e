// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * file84.h - the file of dwrite84 and dread84: 256 blocks of 512 bytes. Byte k of block b is (b + k) mod 256, so that a read from
 * a wrong place is found out. It has a name while it is used, and loses it when the process ends.
 */
#ifndef FILE84_H
#define FILE84_H

#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCK = 512, BLOCKS = 256, SIZE = BLOCK * BLOCKS };

static const char *folder;
static char *path;
static unsigned char pattern[BLOCKS + BLOCK];

static inline unsigned char byte_at(long place)
{
	return pattern[place / BLOCK + place % BLOCK];
}

/* Whatever ends the process: what is not there any more need not be said. */
static void clean_up(void)
{
	unlink(path);
}

/* For the words of a failure, after which nothing here runs any more, and which may need errno. */
static const char *emptied_folder(void)
{
	const int cause = errno;

	clean_up();
	errno = cause;
	return folder;
}

static void remove_file(void)
{
	if (unlink(path) == -1)
		bench_fail("cannot remove a file in '%.300s'", emptied_folder());
}

static void end_by(int number)
{
	clean_up();
	signal(number, SIG_DFL);
	raise(number);
}

static void clean_up_at_end(void)
{
	const int signals[] = { SIGHUP, SIGINT, SIGTERM };

	atexit(clean_up);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		if (signal(signals[i], end_by) == SIG_IGN)
			signal(signals[i], SIG_IGN);
}

static void prepare_file(const char *program, const char *where)
{
	const size_t room = 64;
	const int size = snprintf(NULL, 0, "%s/%s.%ld", where, program, (long)getpid());

	folder = where;
	path = malloc((size_t)size + room);
	if (!path)
		bench_fail("no memory for a path");
	snprintf(path, (size_t)size + room, "%s/%s.%ld", where, program, (long)getpid());
	clean_up_at_end();
	for (int i = 0; i < BLOCKS + BLOCK; i++)
		pattern[i] = (unsigned char)(i % 256);
}

static void close_file(int fd)
{
	if (close(fd) == -1)
		bench_fail("cannot close a file in '%.300s'", emptied_folder());
}

/* Made, closed and opened again, as in the article. */
static void write_file(void)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd == -1)
		bench_fail("cannot make a file in '%.300s'", emptied_folder());
	close_file(fd);
	fd = open(path, O_WRONLY);
	if (fd == -1)
		bench_fail("cannot open a file in '%.300s'", emptied_folder());
	for (int i = 0; i < BLOCKS; i++) {
		const ssize_t n = write(fd, pattern + i, BLOCK);

		if (n == -1)
			bench_fail("cannot write in '%.300s'", emptied_folder());
		if (n != BLOCK)
			bench_wrong("only %d of %d bytes could be written in '%.300s': is it full?", (int)n, BLOCK, emptied_folder());
	}
	close_file(fd);
}

#endif
