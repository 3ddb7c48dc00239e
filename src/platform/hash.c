// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hash - a file is hashed by a command (md5sum, sha256sum, sha512sum), by libcrypto reading the
 * file, and by libcrypto in memory, each for a third of SECONDS and at least once. The file is in
 * the page cache, so no disk is measured. The result is the command's rate, which includes
 * starting and ending the command.
 *
 *	FIGURE|bytes|100000000		bytes of the file
 *	FIGURE|runs|4			number of runs of the command
 *	FIGURE|file|1409.275|MBps	libcrypto reads the file
 *	FIGURE|memory|1501.833|MBps	libcrypto on the same bytes in memory
 *	MISSING|file|built without libcrypto (package libssl-dev)
 */
#include "bench.h"
#include "platform/hash/digest.h"
#include "platform/shared/bytes.h"
#include "tidy.h"
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/*
 * --- the file that is hashed, DIRECTORY/data: the first process that needs it makes it, and others
 * find it. The empty file data.lock stays beside it.
 */
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

/* On return the file is in the page cache, and its pages are mapped. */
static struct input data_ready(const char *directory, int64_t size)
{
	char *const path = path_of(directory, "data");

	/* A write beyond the user's limit then fails with errno, from which a message is made. */
	signal(SIGXFSZ, SIG_IGN);
	if (!is_whole(path, size)) {
		const int locked = lock(directory);

		if (!is_whole(path, size))
			make(directory, path, size);
		close(locked);
	}
	return (struct input){ path, mapped(path, (size_t)size), (size_t)size };
}

/* --- the test */

enum { COMMAND, OF_FILE, IN_MEMORY, IMPLEMENTATIONS, LEAST = 1000 };
static const int64_t MOST = 10000000000000;
static const double NS = 1e9, MB = 1e6;

static const struct {
	const char *name;
	void (*digest)(const struct algorithm *a, const struct input *in, char digest[DIGEST_TEXT]);
} implementation[IMPLEMENTATIONS] = {
	{ "the command", command_digest },
	{ "file", library_digest_of_file },
	{ "memory", library_digest_of_memory },
};

struct test {
	const struct algorithm *algorithm;
	const char *lacks_library;	/* the reason, or NULL */
	struct input input;
	int implementations;		/* number of those that can be measured here */
	char digest[DIGEST_TEXT];	/* all other digests must equal it */
};

/* Path of a file that must be removed at the end; NULL if there is none. */
static const char *volatile leftover;

static void remove_file(void)
{
	if (leftover)
		unlink(leftover);
	leftover = NULL;
}

static void make_file(char *path, const char *text)
{
	const size_t size = strlen(text);
	const int fd = mkstemp(path);

	if (fd == -1)
		bench_fail("cannot make a file in the working directory");
	leftover = path;
	if (write(fd, text, size) != (ssize_t)size || close(fd) == -1)
		bench_fail("cannot write to a file in the working directory");
}

static void prove(const struct test *t, const struct vector *v)
{
	char path[] = "hash.XXXXXX", digest[IMPLEMENTATIONS][DIGEST_TEXT];
	const struct input in = { path, v->message, strlen(v->message) };

	make_file(path, v->message);
	for (int i = 0; i < t->implementations; i++)
		implementation[i].digest(t->algorithm, &in, digest[i]);
	remove_file();
	for (int i = 0; i < t->implementations; i++)
		if (strcmp(digest[i], v->digest) != 0)
			bench_wrong("%s of '%.10s' by %s is not the published one",
				t->algorithm->name, v->message, i == COMMAND ?
				t->algorithm->command : "libcrypto");
}

static void hash(struct test *t, int which)
{
	char digest[DIGEST_TEXT];

	implementation[which].digest(t->algorithm, &t->input, digest);
	if (t->digest[0] == '\0')
		memcpy(t->digest, digest, sizeof digest);
	if (strcmp(digest, t->digest) != 0)
		bench_wrong("%s and libcrypto, or two runs of one, have different digests of "
			"'%.300s'", t->algorithm->command, t->input.path);
}

static double rate(const struct test *t, uint64_t runs, int64_t ns)
{
	return (double)runs * (double)t->input.size / MB / ((double)ns / NS);
}

static double rate_of_command(struct bench *b, struct test *t)
{
	uint64_t runs = 0;

	bench_start(b);
	do
		hash(t, COMMAND);
	while (bench_tick(b, ++runs));
	bench_stop(b);
	return rate(t, runs, b->now - b->start);
}

static double rate_of_library(const struct bench *b, struct test *t, int which)
{
	const int64_t start = bench_clock(), stop = start + (int64_t)(b->seconds * NS);
	uint64_t runs = 0;
	int64_t now;

	do {
		hash(t, which);
		runs++;
		now = bench_clock();
	} while (now < stop);
	return rate(t, runs, now - start);
}

static _Noreturn void measure(struct bench *b, struct test *t)
{
	double rates[IMPLEMENTATIONS];

	/*
	 * Each implementation has an equal share of the time. The harness measures only the
	 * command.
	 */
	b->seconds /= IMPLEMENTATIONS;
	rates[COMMAND] = rate_of_command(b, t);
	for (int i = OF_FILE; i < t->implementations; i++)
		rates[i] = rate_of_library(b, t, i);
	channel_say("FIGURE|bytes|%zu", t->input.size);
	channel_say("FIGURE|runs|%.0f", (double)b->count);
	for (int i = OF_FILE; i < IMPLEMENTATIONS; i++) {
		if (i < t->implementations)
			channel_say("FIGURE|%s|%.3f|MBps", implementation[i].name, rates[i]);
		else
			channel_say("MISSING|%s|%s", implementation[i].name, t->lacks_library);
	}
	bench_end_figure(b, rates[COMMAND]);
}

static int say_facts(void)
{
	const struct algorithm *a;

	bench_watch();
	printf("libcrypto=%s\n", library_version());
	for (size_t n = 0; (a = algorithm_at(n)); n++)
		printf("%s=%s\n", a->command, command_version(a->command));
	return fflush(stdout) == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
	static struct test t;
	struct bench b;
	int64_t bytes;

	if (argc == 2 && strcmp(argv[1], "--facts") == 0)
		return say_facts();
	bench_begin(&b, argc, argv, "SECONDS md5|sha256|sha512 DIRECTORY BYTES");
	b.unit = "MBps";
	if (argc != 5 || !(t.algorithm = algorithm_named(argv[2])) || argv[3][0] == '\0')
		bench_usage();
	bytes = bench_number(argv[4], "BYTES", LEAST, MOST < LONG_MAX ? (long)MOST : LONG_MAX);
	bench_tidy(remove_file);
	/* Hashing a file of many GB takes long. */
	bench_watch();
	t.lacks_library = library_prepare(t.algorithm);
	t.implementations = t.lacks_library ? OF_FILE : IMPLEMENTATIONS;
	for (int i = 0; i < VECTORS; i++)
		prove(&t, &t.algorithm->vector[i]);
	t.input = data_ready(argv[3], bytes);
	measure(&b, &t);
}
