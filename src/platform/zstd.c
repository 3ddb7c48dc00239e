// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * zstd - one pass compresses the input with libzstd at a level, or decompresses the result: in one
 * call, by one thread, with a context for each direction that all passes share. No file, stream or
 * dictionary is involved.
 *
 * zstd --facts prints the version of the loaded library: `library=zstd 1.5.4`.
 */
#include "bench.h"
#include "platform/shared/rounds.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <zstd.h>

enum { MIN_LEVEL = 1, MAX_LEVEL = 22 };
static const char USAGE[] = "SECONDS LEVEL [FILE] | --facts";

struct contexts {
	ZSTD_CCtx *there;
	ZSTD_DCtx *back;
};

/* Returns `size` unless it is an error code. */
static size_t good(size_t size, const char *what)
{
	if (ZSTD_isError(size)) {
		errno = 0;
		bench_fail("%s: %s", what, ZSTD_getErrorName(size));
	}
	return size;
}

static size_t compressed(void *state, void *to, size_t room, const void *from, size_t size)
{
	const struct contexts *c = state;

	return good(ZSTD_compress2(c->there, to, room, from, size), "cannot compress");
}

static size_t decompressed(void *state, void *to, size_t room, const void *from, size_t size)
{
	const struct contexts *c = state;

	return good(ZSTD_decompressDCtx(c->back, to, room, from, size), "cannot decompress");
}

/*
 * The input's size is stored in the compressed data. ZSTD_compress2 sets it, whatever was pledged.
 */
static void open_contexts(struct contexts *c, int level)
{
	c->there = ZSTD_createCCtx();
	c->back = ZSTD_createDCtx();
	if (!c->there || !c->back)
		bench_fail("no memory for the contexts of libzstd");
	good(ZSTD_CCtx_setParameter(c->there, ZSTD_c_compressionLevel, level),
		"cannot set the level");
	good(ZSTD_CCtx_setParameter(c->there, ZSTD_c_contentSizeFlag, 1),
		"cannot have the size written");
}

static int say_facts(void)
{
	if (printf("library=zstd %s\n", ZSTD_versionString()) < 0 || fflush(stdout) == EOF)
		bench_fail("cannot write");
	return 0;
}

int main(int argc, char **argv)
{
	struct contexts c;
	struct rounds r = { .there = compressed, .back = decompressed, .state = &c };
	struct input in;
	struct bench b;
	int level;

	if (argc == 2 && strcmp(argv[1], "--facts") == 0)
		return say_facts();
	bench_begin(&b, argc, argv, USAGE);
	if (argc < 3 || argc > 4)
		bench_usage();
	level = (int)bench_number(argv[2], "LEVEL", MIN_LEVEL, MAX_LEVEL);
	input_read(&in, argc > 3 ? argv[3] : NULL);
	r.room = good(ZSTD_compressBound(in.size), "cannot compress");
	open_contexts(&c, level);
	rounds_measure(&r, &in, &b);
}
