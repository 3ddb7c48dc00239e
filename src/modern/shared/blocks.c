// SPDX-License-Identifier: GPL-2.0-or-later
/* blocks.c - see blocks.h. The file of the lock beside the file counts the processes that needed it. */
#if defined(__linux__)
#define _GNU_SOURCE
#elif defined(__APPLE__)
#define _DARWIN_C_SOURCE
#elif defined(__FreeBSD__) || defined(__DragonFly__)
#define __BSD_VISIBLE 1
#elif defined(__NetBSD__)
#define _NETBSD_SOURCE 1
#endif
#include "modern/shared/blocks.h"

#include "channel.h"
#include "mix.h"
#include "modern/shared/cache.h"
#include "modern/shared/medium.h"
#include "tidy.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { AT_ONCE = 256, NUMBER = 0, SEED = 1, ROUND = 2, FIRST_RANDOM = 3 };
static const char NAME[] = "blocks";
static const char PART[] = "blocks.part", LOCK[] = "blocks.lock";
static int making_in = -1;

void blocks_fill(uint64_t block[BLOCK_WORDS], uint64_t number, uint64_t seed, uint64_t round)
{
	uint64_t state = seed;

	block[NUMBER] = number;
	block[SEED] = seed;
	block[ROUND] = round;
	for (int i = FIRST_RANDOM; i < BLOCK_WORDS; i++)
		block[i] = mix_next(&state);
}

void blocks_prove(const uint64_t found[BLOCK_WORDS], uint64_t number)
{
	uint64_t block[BLOCK_WORDS];

	blocks_fill(block, number, found[SEED], found[ROUND]);
	for (int i = 0; i < BLOCK_WORDS; i++)
		if (found[i] != block[i])
			bench_wrong("block %" PRIu64 " differs from the data written", number);
}

static void write_blocks(int fd, uint64_t count)
{
	static uint64_t blocks[AT_ONCE][BLOCK_WORDS];

	for (uint64_t first = 0; first < count; first += AT_ONCE) {
		for (uint64_t i = 0; i < AT_ONCE; i++)
			blocks_fill(blocks[i], first + i, first + i, 0);
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

/* A file that is not complete must not fill a disk until the run ends. */
static void remove_part(void)
{
	if (making_in != -1)
		unlinkat(making_in, PART, 0);
}

/* Returns the bytes that a file in this directory may have. */
static uint64_t room_in(int directory)
{
	struct statvfs volume;
	struct rlimit limit;
	uint64_t room = UINT64_MAX;

	if (fstatvfs(directory, &volume) == 0)
		room = (uint64_t)volume.f_bavail * volume.f_frsize;
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
			&& (uint64_t)limit.rlim_cur < room)
		room = (uint64_t)limit.rlim_cur;
	return room;
}

static uint64_t fitting(int directory, uint64_t least)
{
	const uint64_t room = room_in(directory);
	uint64_t count = BLOCKS_MOST;

	while (count > least && count * BLOCK > room)
		count /= 2;
	return count;
}

/* The file has its name when it is complete, so what a process left that was killed is overwritten. */
static void make(int directory, uint64_t least)
{
	int fd;

	making_in = directory;
	bench_tidy(remove_part);
	fd = open_in(directory, PART, O_WRONLY | O_CREAT | O_TRUNC);
#if defined(F_NOCACHE) && !defined(O_DIRECT)
	/* On this system uncached reads would find data in the cache that were written through it. */
	fcntl(fd, F_NOCACHE, 1);
#endif
	write_blocks(fd, fitting(directory, least));
	if (close(fd) == -1 || renameat(directory, PART, directory, NAME) == -1)
		bench_fail("cannot make a file in the directory that is kept");
	making_in = -1;
}

/* Returns how many blocks the file has; 0: it is not there. */
static uint64_t count_blocks(int directory)
{
	struct stat s;

	return fstatat(directory, NAME, &s, 0) == 0 ? (uint64_t)s.st_size / BLOCK : 0;
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

struct blocks blocks_make(const char *path, uint64_t least)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct blocks b = { .directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	int lock;

	if (b.directory == -1)
		bench_fail("cannot open the directory '%.300s'", path);
	lock = open_in(b.directory, LOCK, O_RDWR | O_CREAT);
	while (fcntl(lock, F_SETLKW, &whole) == -1)
		if (errno != EINTR)
			bench_fail("cannot lock a file in the directory that is kept");
	if (count_blocks(b.directory) == 0)
		make(b.directory, least);
	b.count = count_blocks(b.directory);
	if (b.count < least)
		bench_skip("the file has %" PRIu64 " MB, because there was no room for %" PRIu64 " MB; "
			"use another directory: UB_TMPDIR=/var/tmp ./Run", b.count / AT_ONCE, least / AT_ONCE);
	b.before = count_processes(lock);
	close(lock);
	errno = 0;
	return b;
}

int blocks_open_uncached(const struct blocks *b, int flags, const char **how)
{
#if defined(O_DIRECT)
	*how = "direct";
	return openat(b->directory, NAME, flags | O_DIRECT | O_CLOEXEC);
#elif defined(F_NOCACHE)
	const int fd = openat(b->directory, NAME, flags | O_CLOEXEC);

	*how = "nocache";
	if (fd != -1 && fcntl(fd, F_NOCACHE, 1) == -1)
		bench_fail("cannot turn off the cache for a file");
	return fd;
#else
	(void)b, (void)flags;
	*how = "none";
	errno = EINVAL;
	return -1;
#endif
}

int blocks_open_reads(const struct blocks *b, const char **how)
{
	const int fd = blocks_open_uncached(b, O_RDONLY, how);

	if (fd == -1 && errno == EINVAL)
		bench_skip("this file system has no reads past the cache (O_DIRECT); use another: "
			"UB_TMPDIR=/var/tmp ./Run");
	if (fd == -1)
		bench_fail("cannot open the file that is read");
	if (cache_is_filled(fd, b->count * BLOCK - CACHE_STEP))
		bench_skip("this file system has no reads past the cache: it ignores O_DIRECT; use another: "
			"UB_TMPDIR=/var/tmp ./Run");
	return fd;
}

int blocks_open_cached(const struct blocks *b, int flags)
{
	const int fd = openat(b->directory, NAME, flags | O_CLOEXEC);

	if (fd == -1)
		bench_fail("cannot open the file in the directory that is kept");
	return fd;
}
