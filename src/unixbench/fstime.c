// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fstime - one operation moves one buffer: -w writes it to a file, -r reads it, -c reads it from
 * one file and writes it to another. At the end of the file both are rewound. The files stay in
 * the page cache, so this measures moving bytes between a program and that cache, and the file
 * system's bookkeeping, not the speed of a disk.
 */
#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MIN_BUFFER = 256, MAX_BUFFER = 8192, BLOCK = 1024, MAX_BLOCKS = 1048576 };

static const char USAGE[] = "[SECONDS] [-w|-r|-c] [-b BYTES] [-m BLOCKS] [-t SECONDS] [-d DIRECTORY]";

struct options {
	int action;		/* w, r, c */
	const char *seconds, *bytes, *blocks, *folder;
};

struct job {
	const char *folder;
	size_t size;		/* bytes in a buffer */
	uint64_t buffers;	/* in one file */
	int from, to;
	char pattern[MAX_BUFFER], buffer[MAX_BUFFER];
};

static void put(const struct job *j, int fd)
{
	const ssize_t n = write(fd, j->buffer, j->size);

	if (n == -1)
		bench_fail("cannot write in '%.300s'", j->folder);
	if ((size_t)n != j->size) {
		errno = 0;
		bench_fail("only %zd of %zu bytes could be written in '%.300s': is it full?", n, j->size, j->folder);
	}
}

static void get(struct job *j, int fd)
{
	const ssize_t n = read(fd, j->buffer, j->size);

	if (n == -1)
		bench_fail("cannot read in '%.300s'", j->folder);
	if ((size_t)n != j->size)
		bench_wrong("a file in '%.300s' is too short", j->folder);
}

static void to_start(const struct job *j, int fd)
{
	if (lseek(fd, 0, SEEK_SET) == -1)
		bench_fail("cannot rewind a file in '%.300s'", j->folder);
}

static void measure(struct job *j, struct bench *b, bool reads, bool writes)
{
	uint64_t left = j->buffers;

	while (bench_next(b)) {
		if (reads)
			get(j, j->from);
		if (writes)
			put(j, j->to);
		if (--left == 0) {
			to_start(j, j->from);
			to_start(j, j->to);
			left = j->buffers;
		}
	}
}

/* The file is unlinked at once, so that nothing stays behind even after SIGKILL. */
static int open_file(const struct job *j)
{
	const size_t size = strlen(j->folder) + 64;
	char *path = malloc(size);
	int fd;

	if (!path)
		bench_fail("no memory for a path");
	snprintf(path, size, "%s/fstime.%ld.XXXXXX", j->folder, (long)getpid());
	fd = mkstemp(path);
	if (fd == -1)
		bench_fail("cannot make a file in '%.300s'", j->folder);
	if (unlink(path) == -1)
		bench_fail("cannot remove a file in '%.300s'", j->folder);
	free(path);
	return fd;
}

/* The file is synced, because a write-back that starts later would disturb the measurement. */
static void fill(const struct job *j)
{
	for (uint64_t i = 0; i < j->buffers; i++)
		put(j, j->from);
	if (fsync(j->from) == -1)
		bench_fail("cannot sync a file in '%.300s'", j->folder);
	to_start(j, j->from);
}

/* Reads a file that holds `buffers` times the pattern and nothing else. */
static void check(struct job *j, int fd, uint64_t buffers)
{
	to_start(j, fd);
	for (uint64_t i = 0; i < buffers; i++) {
		get(j, fd);
		if (memcmp(j->buffer, j->pattern, j->size) != 0)
			bench_wrong("a file in '%.300s' holds other bytes than were written", j->folder);
	}
	if (read(fd, j->buffer, 1) != 0)
		bench_wrong("a file in '%.300s' is too long", j->folder);
	to_start(j, fd);
}

static struct options options_from(int argc, char **argv)
{
	struct options o = { .action = 'c', .seconds = "10", .bytes = "1024", .blocks = "2000", .folder = "." };
	int option;

	opterr = 0;
	if (argc > 1 && argv[1][0] != '-') {
		o.seconds = argv[1];
		argc--;
		argv++;
	}
	while ((option = getopt(argc, argv, "wrcb:m:t:d:")) != -1) {
		switch (option) {
		case 'w': case 'r': case 'c': o.action = option; break;
		case 'b': o.bytes = optarg; break;
		case 'm': o.blocks = optarg; break;
		case 't': o.seconds = optarg; break;
		case 'd': o.folder = optarg; break;
		default: o.seconds = ""; return o;
		}
	}
	if (optind < argc)
		o.seconds = "";
	return o;
}

int main(int argc, char **argv)
{
	static struct job j;
	const struct options o = options_from(argc, argv);
	const bool reads = o.action != 'w', writes = o.action != 'r';
	struct bench b;
	uint64_t written;

	/* A missing SECONDS is a usage error, as are arguments that options_from cannot read. */
	bench_begin_for(&b, argv[0], argc > 1 ? o.seconds : "", USAGE);
	j.folder = o.folder;
	j.size = (size_t)bench_number(o.bytes, "-b", MIN_BUFFER, MAX_BUFFER);
	j.buffers = (uint64_t)bench_number(o.blocks, "-m", (long)(j.size + BLOCK - 1) / BLOCK, MAX_BLOCKS)
		* BLOCK / j.size;
	for (size_t i = 0; i < sizeof j.pattern; i++)
		j.pattern[i] = j.buffer[i] = (char)(i % 256);
	b.timebase = 0;
	b.unit = "KBps";
	b.amount = (double)j.size / BLOCK;

	j.from = open_file(&j);
	j.to = open_file(&j);
	if (reads)
		fill(&j);
	if (reads && writes)
		check(&j, j.from, j.buffers);
	if (reads)
		memset(j.buffer, 0, sizeof j.buffer);
	measure(&j, &b, reads, writes);
	if (memcmp(j.buffer, j.pattern, j.size) != 0)
		bench_wrong("the bytes moved last in '%.300s' are not the known ones", j.folder);
	/* Comparing each file with the pattern also compares them with each other. */
	written = b.count < j.buffers ? b.count : j.buffers;
	check(&j, j.from, reads ? j.buffers : 0);
	check(&j, j.to, writes ? written : 0);
	bench_end(&b);
}
