// SPDX-License-Identifier: GPL-2.0-or-later
/* contents.c - see contents.h. */
#include "platform/transfer/contents.h"
#include "bench.h"
#include "platform/transfer/checksum.h"
#include "platform/shared/bytes.h"

#include <stdlib.h>

/*
 * The stream repeats after 16 MB, but relative to the blocks of a disk only after 1.07 GB, so that
 * a file system that merges equal blocks finds none in the largest test. UNIT is a multiple of the
 * checksum's block. UNITS is a prime, so that each of up to 262,138 files starts at another byte
 * of the stream.
 */
enum { UNIT = 64, UNITS = 262139, SIZE = UNIT * UNITS, BLOCK = 4096, PAGE = 65536 };
static const uint64_t SEED = 2024;

static uint64_t stride_of(uint64_t bytes)
{
	const uint64_t stride = (bytes + BLOCK - 1) / BLOCK * BLOCK;

	return stride % SIZE == 0 ? stride + BLOCK : stride;
}

size_t contents_piece(const struct contents *c, int number, uint64_t done, uint64_t most,
	const unsigned char **from)
{
	const size_t at = (size_t)(((uint64_t)number * c->stride + done) % SIZE);
	const size_t there = SIZE - at;

	*from = c->bytes + at;
	return most < there ? (size_t)most : there;
}

static uint64_t sum_of(const struct contents *c, int number, uint64_t bytes)
{
	const unsigned char *from;
	struct checksum s;

	checksum_begin(&s);
	for (uint64_t done = 0; done < bytes;) {
		const size_t n = contents_piece(c, number, done, bytes - done, &from);

		checksum_add(&s, from, n);
		done += n;
	}
	return checksum_end(&s);
}

void contents_make(struct contents *c, uint64_t bytes, int files)
{
	void *memory;

	if (posix_memalign(&memory, PAGE, SIZE) != 0)
		bench_fail("no memory for what is written");
	c->bytes = memory;
	bytes_fill(c->bytes, SIZE, SEED);
	c->stride = stride_of(bytes);
	c->sums = calloc((size_t)files, sizeof *c->sums);
	if (!c->sums)
		bench_fail("no memory for %d checksums", files);
	for (int i = 0; i < files; i++)
		c->sums[i] = sum_of(c, i, bytes);
}
