// SPDX-License-Identifier: GPL-2.0-or-later
/* look.c - look.h with the primitives of chain.h. */
#include "truth/truth-vcpu/look.h"

#include "bench.h"
#include "truth/shared/chain.h"

enum { LOOKS = 200, PAUSE = 20000 };

/* Nanoseconds: of a reading of the clock, and the least of each part of a look. */
static int64_t reading, usual[3];

static int64_t shortest(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static struct look take(int64_t part[3])
{
	struct look l = { .begin = bench_clock() };
	int64_t now;

	chain_add(0, 1);
	now = bench_clock();
	part[0] = now - l.begin;
	chain_wide(1);
	l.end = bench_clock();
	part[1] = l.end - now;
	chain_nops();
	now = bench_clock();
	part[2] = now - l.end;
	l.end = now;
	return l;
}

void look_prepare(void)
{
	int64_t part[3];

	chain_prove();
	reading = usual[0] = usual[1] = usual[2] = INT64_MAX;
	for (int i = 0; i < LOOKS; i++) {
		const int64_t begin = bench_clock();
		reading = shortest(reading, bench_clock() - begin);
		take(part);
		for (int j = 0; j < 3; j++)
			usual[j] = shortest(usual[j], part[j]);
	}
}

struct look look_take(void)
{
	int64_t part[3];
	struct look l = take(part);

	for (int j = 0; j < 3; j++)
		if (part[j] - usual[j] > l.gap)
			l.gap = part[j] - usual[j];
	l.chain = part[0] - reading;
	l.wide = part[1] - reading;
	l.nops = part[2] - reading;
	return l;
}

bool look_is_whole(const struct look *l)
{
	return l->gap <= PAUSE && l->chain > 0 && l->wide > 0 && l->nops > 0;
}
