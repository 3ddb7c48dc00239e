// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * truth-line - how long a cache line takes from one CPU to another: up to 16 pairs of CPUs of
 * different cores, the same in every pass, each twice, by stores and by atomic exchanges. A
 * measurement in itself says nothing of who else uses the paths between the cores. The result is
 * the median in ns.
 *
 *	FIGURE|pair-0-4-stores|64.2	ns for one way
 *	FIGURE|pair-0-4-exchanges|75.0
 *	FIGURE|pair-0-4-near|1		the system says that they share their last cache; 0: that they do not
 */
#include "bench.h"
#include "mix.h"
#include "truth/shared/affinity.h"
#include "truth/shared/line.h"

#include <stdlib.h>

enum { PAIRS = 16, TRIES = 1000, AGAIN = 3 };
static const double NS = 1e9;

struct pair {
	int cpu, other;
	double stores, exchanges;
};

static bool is_known(const struct pair *pairs, int count, int cpu, int other)
{
	for (int i = 0; i < count; i++)
		if (pairs[i].cpu == (cpu < other ? cpu : other) && pairs[i].other == (cpu < other ? other : cpu))
			return true;
	return false;
}

/* Without a word of the system every CPU counts as a core. */
static bool share_core(int cpu, int other)
{
	return affinity_core(cpu) != -1 && affinity_core(cpu) == affinity_core(other);
}

static int choose(struct pair pairs[PAIRS])
{
	static int cpu[CPUS_MOST];
	const int cpus = affinity_cpus(cpu);
	uint64_t seed = 16;
	int count = 0;

	for (int i = 0; i < TRIES && cpus > 1 && count < PAIRS; i++) {
		const int a = cpu[mix_next(&seed) % (uint64_t)cpus], b = cpu[mix_next(&seed) % (uint64_t)cpus];
		if (a != b && !share_core(a, b) && !is_known(pairs, count, a, b))
			pairs[count++] = (struct pair){ .cpu = a < b ? a : b, .other = a < b ? b : a };
	}
	return count;
}

/* On a busy machine it may be that no two CPUs ran at once; false then. */
static bool measure(struct pair *pairs, int count, int64_t each)
{
	bool known = false;

	for (int i = 0; i < count; i++) {
		pairs[i].stores = line_one_way(pairs[i].cpu, pairs[i].other, LINE_STORES, each);
		pairs[i].exchanges = line_one_way(pairs[i].cpu, pairs[i].other, LINE_EXCHANGES, each);
		known = known || pairs[i].stores > 0;
	}
	return known;
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double report(const struct pair *pairs, int count)
{
	double times[PAIRS];
	int known = 0;

	for (int i = 0; i < count; i++) {
		const struct pair *p = &pairs[i];
		if (p->stores <= 0)
			continue;
		times[known++] = p->stores;
		channel_say("FIGURE|pair-%d-%d-stores|%.4g", p->cpu, p->other, p->stores);
		if (affinity_cache(p->cpu) != -1 && affinity_cache(p->other) != -1)
			channel_say("FIGURE|pair-%d-%d-near|%d", p->cpu, p->other,
				affinity_cache(p->cpu) == affinity_cache(p->other));
		if (p->exchanges > 0)
			channel_say("FIGURE|pair-%d-%d-exchanges|%.4g", p->cpu, p->other, p->exchanges);
	}
	if (known == 0)
		bench_skip("no two CPUs ran at the same time");
	qsort(times, (size_t)known, sizeof times[0], ascending);
	return times[known / 2];
}

int main(int argc, char **argv)
{
	struct pair pairs[PAIRS];
	struct bench b;
	int64_t each;
	int count;
	uint64_t tries = 0;
	bool known;

	bench_begin(&b, argc, argv, NULL);
	b.unit = "ns";
	count = choose(pairs);
	if (count == 0)
		bench_skip("it needs two CPUs of different cores");
	bench_pin_to(pairs[0].cpu);
	bench_start(&b);
	each = (int64_t)(b.seconds * NS) / (2 * count);
	do {
		known = measure(pairs, count, each);
		bench_tick(&b, ++tries);
	} while (!known && tries < AGAIN);
	bench_end_figure(&b, report(pairs, count));
}
