// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stream - one operation is a[i] = b[i] + s * c[i] for 4,096 doubles of three large arrays; s grows
 * from sweep to sweep. It counts 24 bytes an element: that a line is read before it is written does
 * not count. After 60 % of the seconds come 13 % each of reading, and of the C library's memset and
 * memcpy.
 */
#include "bench.h"
#include "modern/shared/pages.h"

#include <string.h>

enum { CHUNK = 4096, CHUNK_KB = 32, MOST_KB = 96 * 1024, APART = 61 };
static const char USAGE[] = "SECONDS KB";
static const double NS = 1e9, MB = 1e6, TRIAD = 0.6, OTHER = 0.4 / 3;

union word {
	double number;
	uint64_t bits;
};

struct arrays {
	union word *a, *b, *c;
	size_t count;		/* elements of each */
	uint64_t sum, read;	/* the words of b; those of all sweeps */
	uint64_t sweeps;	/* of reading, memset or memcpy */
};

/* A volatile pointer may point to any function, so no compiler can omit or replace a call. */
static void *(*volatile fill)(void *, int, size_t) = memset;
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;

/* All numbers are whole, so that no rounding can differ. */
static double expected(size_t i, double s)
{
	return (double)(i % 1021) + s * (double)(i % 509 + 1);
}

static struct arrays set_up(const struct pages *memory)
{
	struct arrays x = { .a = memory->memory, .count = memory->bytes / sizeof(union word) / 3 };

	x.b = x.a + x.count;
	x.c = x.b + x.count;
	for (size_t i = 0; i < x.count; i++) {
		x.a[i].number = x.b[i].number = expected(i, 0);
		x.c[i].number = expected(i, 1) - expected(i, 0);
		x.sum += x.b[i].bits;
	}
	return x;
}

static void triad(union word *restrict a, const union word *restrict b,
	const union word *restrict c, double s)
{
	for (int i = 0; i < CHUNK; i++)
		a[i].number = b[i].number + s * c[i].number;
}

static void measure(struct bench *b, const struct arrays *x)
{
	size_t at = 0;
	double s = 1;

	while (bench_next(b)) {
		triad(x->a + at, x->b + at, x->c + at, s);
		at += CHUNK;
		if (at == x->count) {
			at = 0;
			s++;
		}
	}
	bench_stop(b);
	for (size_t i = 0; i < x->count; i += APART)
		if (x->a[i].number != expected(i, i < at ? s : s - 1))
			bench_wrong("element %zu is %.0f", i, x->a[i].number);
}

/* Four sums, because each addition waits for the one before. */
static uint64_t sum_of(const union word *from)
{
	uint64_t s0 = 0, s1 = 0, s2 = 0, s3 = 0;

	for (int i = 0; i < CHUNK; i += 4) {
		s0 += from[i].bits;
		s1 += from[i + 1].bits;
		s2 += from[i + 2].bits;
		s3 += from[i + 3].bits;
	}
	return s0 + s1 + s2 + s3;
}

static void read_all(struct arrays *x)
{
	for (size_t at = 0; at < x->count; at += CHUNK)
		x->read += sum_of(x->b + at);
}

static void write_all(struct arrays *x)
{
	fill(x->a, (unsigned char)x->sweeps, x->count * sizeof *x->a);
}

static void copy_all(struct arrays *x)
{
	copy(x->a, x->b, x->count * sizeof *x->a);
}

/* Returns how many times in a second the sweep was made. */
static double rate_of(void (*sweep)(struct arrays *), struct arrays *x, double seconds)
{
	const int64_t start = bench_clock(), stop = start + (int64_t)(seconds * NS);
	int64_t now;

	x->sweeps = 0;
	do {
		x->sweeps++;
		sweep(x);
		now = bench_clock();
	} while (now < stop);
	return (double)x->sweeps / ((double)(now - start) / NS);
}

static void say_others(struct arrays *x, double seconds)
{
	const double size = (double)(x->count * sizeof *x->a) / MB;
	const double reading = size * rate_of(read_all, x, seconds);
	double writing, copying;

	if (x->read != x->sum * x->sweeps)
		bench_wrong("the words that were read have another sum");
	writing = size * rate_of(write_all, x, seconds);
	for (size_t i = 0; i < x->count; i += APART)
		if (x->a[i].bits != UINT64_C(0x0101010101010101) * (unsigned char)x->sweeps)
			bench_wrong("memset has not reached element %zu", i);
	copying = 2 * size * rate_of(copy_all, x, seconds);
	if (memcmp(x->a, x->b, x->count * sizeof *x->a) != 0)
		bench_wrong("memcpy has made another copy");
	channel_say("FIGURE|read|%.9g|MBps", reading);
	channel_say("FIGURE|write|%.9g|MBps", writing);
	channel_say("FIGURE|copy|%.9g|MBps", copying);
}

int main(int argc, char **argv)
{
	struct pages memory;
	struct arrays x;
	struct bench b;
	double seconds;
	long kb;

	bench_begin(&b, argc, argv, USAGE);
	if (argc != 3)
		bench_usage();
	kb = bench_number(argv[2], "KB", CHUNK_KB, MOST_KB);
	if (kb % CHUNK_KB != 0)
		bench_usage();
	memory = pages_map((size_t)kb * 3 << 10, PAGES_HUGE);
	x = set_up(&memory);
	seconds = b.seconds;
	b.seconds = seconds * TRIAD;
	b.unit = "MBps";
	b.timebase = 0;
	b.amount = 3.0 * sizeof(union word) * CHUNK / MB;
	measure(&b, &x);
	say_others(&x, seconds * OTHER);
	pages_say(&memory);
	bench_end(&b);
}
