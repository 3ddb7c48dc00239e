// SPDX-License-Identifier: GPL-2.0-or-later
/* file.c - see file.h. */
#include "byte1984/shared/file.h"
#include "bench.h"
#include "tidy.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
	const char *folder;
	char *path;
	unsigned char pattern[BLOCKS + BLOCK];
} file;

/* Runs at every end of the process. The file may be gone already, so errors are ignored. */
static void clean_up(void)
{
	unlink(file.path);
}

void file_prepare(const char *program, const char *folder)
{
	const int size = snprintf(NULL, 0, "%s/%s.%ld", folder, program, (long)getpid()) + 1;

	file.folder = folder;
	file.path = malloc((size_t)size);
	if (!file.path)
		bench_fail("no memory for a path");
	snprintf(file.path, (size_t)size, "%s/%s.%ld", folder, program, (long)getpid());
	bench_tidy(clean_up);
	for (int i = 0; i < BLOCKS + BLOCK; i++)
		file.pattern[i] = (unsigned char)(i % 256);
}

const char *file_folder(void)
{
	return file.folder;
}

const unsigned char *file_block(int number)
{
	return file.pattern + number;
}

unsigned char file_byte(long place)
{
	return file.pattern[place / BLOCK + place % BLOCK];
}

static void close_it(int fd)
{
	if (close(fd) == -1)
		bench_fail("cannot close a file in '%.300s'", file.folder);
}

/* The file is created, closed and opened again, as in the article. */
void file_write(void)
{
	int fd = open(file.path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd == -1)
		bench_fail("cannot make a file in '%.300s'", file.folder);
	close_it(fd);
	fd = open(file.path, O_WRONLY);
	if (fd == -1)
		bench_fail("cannot open a file in '%.300s'", file.folder);
	for (int i = 0; i < BLOCKS; i++) {
		const ssize_t n = write(fd, file_block(i), BLOCK);

		if (n == -1)
			bench_fail("cannot write in '%.300s'", file.folder);
		if (n != BLOCK)
			bench_wrong("only %d of %d bytes could be written in '%.300s': is it full?", (int)n, BLOCK, file.folder);
	}
	close_it(fd);
}

int file_open(void)
{
	const int fd = open(file.path, O_RDONLY);

	if (fd == -1)
		bench_fail("cannot open a file in '%.300s'", file.folder);
	return fd;
}

void file_remove(void)
{
	if (unlink(file.path) == -1)
		bench_fail("cannot remove a file in '%.300s'", file.folder);
}
