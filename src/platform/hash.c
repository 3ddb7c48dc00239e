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
#include "platform/hash/data.h"
#include "platform/hash/digest.h"
#include "tidy.h"
#include "watch.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
