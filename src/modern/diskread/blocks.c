// SPDX-License-Identifier: GPL-2.0-or-later
/* blocks.c - see blocks.h. */
#include "modern/diskread/blocks.h"
#include "bench.h"
#include "mix.h"
#include "modern/shared/medium.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { AT_ONCE = 256 };
static const char PART[] = "blocks.part", LOCK[] = "blocks.lock";

void blocks_fill(uint64_t block[WORDS], uint64_t number)
{
	uint64_t state = number;

	block[0] = number;
	for (int i = 1; i < WORDS; i++)
		block[i] = mix_next(&state);
}

static void write_blocks(int fd)
{
	static uint64_t blocks[AT_ONCE][WORDS];

	for (uint64_t first = 0; first < BLOCKS; first += AT_ONCE) {
		for (uint64_t i = 0; i < AT_ONCE; i++)
			blocks_fill(blocks[i], first + i);
		medium_write(fd, blocks, sizeof blocks, first * BLOCK);
	}
	medium_keep(fd);
}

static int open_in(int directory, const char *name, int flags)
{
	const int fd = openat(directory, name, flags | O_CLOEXEC, 0600);

	if (fd == -1)
		bench_fail("cannot make a file in the directory that is kept");
	return fd;
}

static bool is_there(int directory)
{
	struct stat s;

	return fstatat(directory, BLOCKS_NAME, &s, 0) == 0;
}

/* Returns how many processes counted themselves in the file of the lock before this one. */
static uint64_t count_processes(int lock)
{
	uint64_t before = 0, now;
	const ssize_t n = read(lock, &before, sizeof before);

	if (n != sizeof before && n != 0)
		bench_fail("cannot read a file in the directory that is kept");
	now = before + 1;
	medium_write(lock, &now, sizeof now, 0);
	return before;
}

/* The file has its name when it is complete, so what a process left that was killed is overwritten. */
uint64_t blocks_make(int directory)
{
	uint64_t before;

	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	const int lock = open_in(directory, LOCK, O_RDWR | O_CREAT);

	while (fcntl(lock, F_SETLKW, &whole) == -1)
		if (errno != EINTR)
			bench_fail("cannot lock a file in the directory that is kept");
	if (!is_there(directory)) {
		const int fd = open_in(directory, PART, O_WRONLY | O_CREAT | O_TRUNC);

		write_blocks(fd);
		if (close(fd) == -1 || renameat(directory, PART, directory, BLOCKS_NAME) == -1)
			bench_fail("cannot make a file in the directory that is kept");
	}
	before = count_processes(lock);
	close(lock);
	errno = 0;
	return before;
}
