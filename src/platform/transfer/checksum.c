// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * checksum.c - each lane is combined with a word by exclusive or, rotated, and multiplied by an
 * odd number. Each of these steps is reversible, so a single wrong word always changes the lane.
 * The rotation moves the high bits, on which the multiplication has little effect.
 */
#include "platform/transfer/checksum.h"
#include "bench.h"
#include "mix.h"
#include "platform/shared/bytes.h"

#include <stdlib.h>
#include <string.h>

static uint64_t stirred(uint64_t lane, uint64_t word)
{
	const uint64_t x = lane ^ word;

	return (x << 29 | x >> 35) * MIX_STEP;
}

void checksum_begin(struct checksum *s)
{
	s->bytes = 0;
	for (uint64_t i = 0; i < CHECKSUM_LANES; i++)
		s->lane[i] = stirred(MIX_STEP, i);
}

static uint64_t word_at(const unsigned char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof word);
	return word;
}

/* Variables are used instead of an array because compilers keep them in registers. */
static void add_blocks(uint64_t lane[CHECKSUM_LANES], const unsigned char *at, size_t blocks)
{
	uint64_t a = lane[0], b = lane[1], c = lane[2], d = lane[3];

	for (; blocks > 0; blocks--, at += CHECKSUM_BLOCK) {
		a = stirred(a, word_at(at));
		b = stirred(b, word_at(at + 8));
		c = stirred(c, word_at(at + 16));
		d = stirred(d, word_at(at + 24));
	}
	lane[0] = a;
	lane[1] = b;
	lane[2] = c;
	lane[3] = d;
}

void checksum_add(struct checksum *s, const void *bytes, size_t size)
{
	const size_t blocks = size / CHECKSUM_BLOCK, whole = blocks * CHECKSUM_BLOCK;
	unsigned char last[CHECKSUM_BLOCK] = { 0 };

	add_blocks(s->lane, bytes, blocks);
	if (size > whole) {
		memcpy(last, (const unsigned char *)bytes + whole, size - whole);
		add_blocks(s->lane, last, 1);
	}
	s->bytes += size;
}

uint64_t checksum_end(const struct checksum *s)
{
	uint64_t sum = s->bytes;

	for (int i = 0; i < CHECKSUM_LANES; i++)
		sum = stirred(sum, s->lane[i]);
	return sum ^ sum >> 32;
}

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
