// SPDX-License-Identifier: GPL-2.0-or-later
/* alone.c - alone.h: slices are as many looks as fit into 0.15 ms, and are whole when all of these are. */
#include "truth/truth-vcpu/alone.h"

#include "bench.h"
#include "truth/truth-vcpu/look.h"
#include "truth/truth-vcpu/lost.h"
#include "truth/shared/chain.h"

#include <stdlib.h>

enum { SLICE = 150000, MOST = 20000, SAME = 10 };
/* Below this part of the best twentieth a slice has few additions. */
static const double FEW = 0.75;

struct slice {
	double ghz, wide, nops;
};

static struct slice slices[MOST];
static int count;

static void take_slice(struct lost *lost)
{
	const int64_t end = bench_clock() + SLICE;
	struct look all = { .begin = 0 };
	struct look l;
	bool whole = true;
	int looks = 0;

	do {
		l = look_take();
		all.chain += l.chain;
		all.wide += l.wide;
		all.nops += l.nops;
		whole = whole && look_is_whole(&l);
		lost_note(lost, l.gap);
		looks++;
	} while (whole && l.end < end);
	if (!whole || count == MOST)
		return;
	slices[count++] = (struct slice){ .ghz = (double)CHAIN_ADDS * looks / (double)all.chain,
		.wide = (double)CHAIN_WIDE / CHAIN_ADDS * (double)all.chain / (double)all.wide,
		.nops = (double)CHAIN_NOPS / CHAIN_ADDS * (double)all.chain / (double)all.nops };
}

static int by_ghz(const void *a, const void *b)
{
	const struct slice *const x = a, *const y = b;

	return (x->ghz > y->ghz) - (x->ghz < y->ghz);
}

static int by_wide(const void *a, const void *b)
{
	const struct slice *const x = a, *const y = b;

	return (x->wide > y->wide) - (x->wide < y->wide);
}

static const struct slice *at(int thousandths)
{
	return &slices[(int64_t)count * thousandths / 1000];
}

static int by_number(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void say_median(const char *what, int from, int to, bool of_ghz)
{
	static double values[MOST];

	for (int i = from; i < to; i++)
		values[i - from] = of_ghz ? slices[i].ghz : slices[i].nops;
	qsort(values, (size_t)(to - from), sizeof values[0], by_number);
	channel_say("FIGURE|%s|%.4g", what, values[(to - from) / 2]);
}

/* Slices are in the order of their additions. */
static void say_both_kinds(void)
{
	const double limit = FEW * at(950)->wide;
	int few = 0;

	while (few < count && slices[few].wide < limit)
		few++;
	if (few < SAME || count - few < SAME)
		return;
	say_median("nops-low", 0, few, false);
	say_median("nops-high", few, count, false);
	say_median("ghz-low", 0, few, true);
	say_median("ghz-high", few, count, true);
}

/* Both least times of many, because a pause can only make one longer. */
static void say_multiply(void)
{
	int64_t product = INT64_MAX, sum = INT64_MAX;

	for (int i = 0; i < 200; i++) {
		const int64_t begin = bench_clock();
		int64_t middle, end;
		chain_multiply(1, 3);
		middle = bench_clock();
		chain_add(0, 1);
		end = bench_clock();
		product = middle - begin < product ? middle - begin : product;
		sum = end - middle < sum ? end - middle : sum;
	}
	if (chain_multiply_cycles > 0)
		channel_say("FIGURE|should|%d", chain_multiply_cycles);
	channel_say("FIGURE|multiply|%.4g", (double)product / (double)sum * CHAIN_ADDS / CHAIN_MULTIPLIES);
}

double alone_look(int cpu, int64_t until)
{
	const int64_t begin = bench_clock();
	const uint64_t ticks = chain_ticks();
	struct lost lost;
	double median;

	count = 0;
	lost_begin(&lost, cpu);
	while (bench_clock() < until)
		take_slice(&lost);
	lost_say(&lost);
	if (ticks != 0)
		channel_say("FIGURE|tsc|%.6g", (double)(chain_ticks() - ticks) / (double)(bench_clock() - begin));
	channel_say("FIGURE|slices|%d", count);
	if (count == 0)
		return 0;
	say_multiply();
	qsort(slices, (size_t)count, sizeof slices[0], by_ghz);
	for (int part = 50; part < 1000; part += 100)
		channel_say("FIGURE|ghz-%02d|%.4g", part / 10, at(part)->ghz);
	median = at(500)->ghz;
	qsort(slices, (size_t)count, sizeof slices[0], by_wide);
	for (int part = 25; part < 1000; part += 50)
		channel_say("FIGURE|wide-%03d|%.4g", part, at(part)->wide);
	say_both_kinds();
	return median;
}
