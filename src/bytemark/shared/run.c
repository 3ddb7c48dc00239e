// SPDX-License-Identifier: GPL-2.0-or-later
/* run.c - see run.h. */
#include "bytemark/shared/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- the frame */

static const double NS = 1e9;

void run_begin(struct run *r, int argc, char **argv)
{
	*r = (struct run){ .cpu = argc > 2 };
	bench_begin(&r->b, argc, argv, "SECONDS [cpu]");
	if (argc > 3 || (argc > 2 && strcmp(argv[2], "cpu") != 0))
		bench_usage();
}

static int64_t now(const struct run *r)
{
	struct timespec t;

	if (!r->cpu)
		return bench_clock();
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/*
 * The harness is asked, and told the count, before each iteration, which takes microseconds to
 * seconds.
 */
bool run_next(struct run *r)
{
	if (!r->cpu)
		return bench_next(&r->b);
	if (r->b.start == 0)
		bench_start(&r->b);
	else
		bench_tick(&r->b, r->b.count + 1);
	return (double)r->spent < r->b.seconds * NS;
}

void run_start(struct run *r)
{
	r->started = now(r);
}

void run_stop(struct run *r, double work)
{
	r->spent += now(r) - r->started;
	r->work += work;
}

_Noreturn void run_end(struct run *r)
{
	bench_end_figure(&r->b, r->work / ((double)r->spent / NS));
}

/* --- buffers and hashes */

enum { LINE = 16, OFFSET = 8 };	/* bytes */
static const uint64_t FNV_START = UINT64_C(0xcbf29ce484222325), FNV_PRIME = UINT64_C(0x100000001b3);

void *memory_get(size_t bytes)
{
	unsigned char *block = malloc(bytes + LINE);

	if (!block)
		bench_fail("no memory for %zu bytes", bytes);
	return block + (LINE + OFFSET - (uintptr_t)block % LINE) % LINE;
}

uint64_t memory_hash(const void *bytes, size_t n)
{
	const unsigned char *at = bytes;
	uint64_t hash = FNV_START;

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ at[i]) * FNV_PRIME;
	return hash;
}

bool memory_order_is_known(const char *what)
{
	static bool is_reported;

	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
		return true;
	if (!is_reported)
		printf("not checked on this machine, whose bytes have another order: %s\n", what);
	is_reported = true;
	return false;
}

/* --- random numbers */

enum { MODULUS = 999563 };
static const uint32_t A = 254754, B = 529562;

static int32_t last, before;

void random_reset(void)
{
	last = 13;
	before = 117;
	random_draw();
}

/* The sum wraps at 32 bits before it becomes signed, so that half of the numbers are negative. */
int32_t random_draw(void)
{
	const int32_t next = (int32_t)(A * (uint32_t)last + B * (uint32_t)before) % MODULUS;

	before = last;
	last = next;
	return next;
}

int32_t random_signed(int32_t n)
{
	return random_draw() % n;
}

int32_t random_below(int32_t n)
{
	const int32_t value = random_signed(n);

	return value < 0 ? -value : value;
}
