// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * checksum.c - each lane is combined with a word by exclusive or, rotated, and multiplied by an
 * odd number. Each of these steps is reversible, so a single wrong word always changes the lane.
 * The rotation moves the high bits, on which the multiplication has little effect.
 */
#include "platform/transfer/checksum.h"

#include <string.h>

/* This is 2^64 divided by the golden ratio. */
static const uint64_t FACTOR = 0x9e3779b97f4a7c15;

static uint64_t stirred(uint64_t lane, uint64_t word)
{
	const uint64_t x = lane ^ word;

	return (x << 29 | x >> 35) * FACTOR;
}

void checksum_begin(struct checksum *s)
{
	s->bytes = 0;
	for (uint64_t i = 0; i < CHECKSUM_LANES; i++)
		s->lane[i] = stirred(FACTOR, i);
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
