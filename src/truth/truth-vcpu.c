// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * truth-vcpu - whether a CPU is a core. Most of the time it looks at one CPU: its clock, how much
 * of the core is left to it, and who takes it away. Then it looks at pairs of CPUs, which share a
 * core when a line goes quickly from one to the other and each slows the other down. The result is
 * the clock in GHz. Nothing here says how quick the CPU is at any work. Figures of the one CPU:
 *
 *	FIGURE|slices|3312		of 0.15 ms that nothing interrupted
 *	FIGURE|ghz-05|3.61		the clock in the slowest tenth of the slices; ghz-15 ... ghz-95
 *	FIGURE|wide-025|3.9		additions a cycle in the twentieth with the fewest; wide-075 ... wide-975
 *	FIGURE|nops-low|2.9		instructions a cycle in slices with few additions, and in the others
 *	FIGURE|nops-high|5.8
 *	FIGURE|ghz-low|3.6		the clock in these; all four only where there are some of both
 *	FIGURE|ghz-high|3.6
 *	FIGURE|multiply|3.0		cycles of a multiplication
 *	FIGURE|should|3			as all such processors have it; not there where they differ
 *	FIGURE|tsc|2.45			GHz of the processor's counter
 *	FIGURE|gaps|0.003		part of the time that was lost in pauses of more than 50 us
 *	FIGURE|waited|0.1		part that the kernel says this process waited for its turn, in them
 *	FIGURE|steal|0			part that /proc/stat says the hypervisor took from this CPU
 *	FIGURE|interrupts|0		part that it says interrupts took
 */
#include "bench.h"
#include "mix.h"
#include "truth/shared/affinity.h"
#include "truth/shared/chain.h"
#include "truth/shared/line.h"
#include "truth/truth-vcpu/pairs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double NS = 1e9;

/*
 * --- a probe looks at a CPU for a few microseconds: how long a chain of additions takes, additions that
 * need nothing of each other, and instructions that do nothing. A probe that something interrupted does
 * not count.
 */

enum { PROBES = 200, PROBE_PAUSE = 20000 };

struct probe {
	int64_t begin, end;
	int64_t chain, wide, nops;	/* nanoseconds, without those of the clock */
	int64_t gap;			/* the longest pause between two readings of the clock */
};

/* Nanoseconds: of a reading of the clock, and the least of each part of a probe. */
static int64_t reading, usual[3];

static int64_t shortest(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static struct probe take(int64_t part[3])
{
	struct probe l = { .begin = bench_clock() };
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

/* Must be called once: it finds out what a reading of the clock costs, and what a probe takes. */
static void probe_prepare(void)
{
	int64_t part[3];

	chain_prove();
	reading = usual[0] = usual[1] = usual[2] = INT64_MAX;
	for (int i = 0; i < PROBES; i++) {
		const int64_t begin = bench_clock();
		reading = shortest(reading, bench_clock() - begin);
		take(part);
		for (int j = 0; j < 3; j++)
			usual[j] = shortest(usual[j], part[j]);
	}
}

static struct probe probe_take(void)
{
	int64_t part[3];
	struct probe l = take(part);

	for (int j = 0; j < 3; j++)
		if (part[j] - usual[j] > l.gap)
			l.gap = part[j] - usual[j];
	l.chain = part[0] - reading;
	l.wide = part[1] - reading;
	l.nops = part[2] - reading;
	return l;
}

/* True when nothing paused it for more than 20 us. */
static bool probe_is_whole(const struct probe *l)
{
	return l->gap <= PROBE_PAUSE && l->chain > 0 && l->wide > 0 && l->nops > 0;
}

/*
 * --- the pauses of a process that only computes. The kernel tells how long the process waited for its
 * turn; what remains of a pause was lost outside of the kernel's scheduling: to the hypervisor, or to an
 * interrupt. Where the two files of Linux are missing, nothing is said.
 */

enum { STEAL_PAUSE = 50000, STAT_LINE = 256 };

struct steal {
	int cpu;
	int64_t begin, gaps, waited;	/* nanoseconds */
	int64_t wait;			/* what the kernel said last; -1: it does not */
	double steal, interrupts;	/* seconds of this CPU at the beginning; -1: unknown */
};

static int64_t waited(void)
{
	FILE *const file = fopen("/proc/self/schedstat", "r");
	int64_t wait = -1;

	if (!file)
		return -1;
	if (fscanf(file, "%*d %" SCNd64, &wait) != 1)
		wait = -1;
	fclose(file);
	return wait;
}

/* The line of a CPU has user, nice, system, idle, iowait, irq, softirq, steal. */
static void read_stat(int cpu, double *steal, double *interrupts)
{
	const double tick = (double)sysconf(_SC_CLK_TCK);
	char name[16], line[STAT_LINE];
	FILE *const file = fopen("/proc/stat", "r");
	unsigned long long irq, soft, stolen;

	*steal = *interrupts = -1;
	if (!file)
		return;
	snprintf(name, sizeof name, "cpu%d ", cpu);
	while (fgets(line, sizeof line, file))
		if (strncmp(line, name, strlen(name)) == 0
				&& sscanf(line, "%*s %*u %*u %*u %*u %*u %llu %llu %llu", &irq, &soft, &stolen) == 3) {
			*steal = (double)stolen / tick;
			*interrupts = (double)(irq + soft) / tick;
		}
	fclose(file);
}

static void steal_begin(struct steal *l, int cpu)
{
	*l = (struct steal){ .cpu = cpu };
	read_stat(cpu, &l->steal, &l->interrupts);
	l->wait = waited();
	l->begin = bench_clock();
}

/* Short pauses are no matter: the kernel's own clock does nothing longer. */
static void steal_note(struct steal *l, int64_t pause)
{
	int64_t now;

	if (pause <= STEAL_PAUSE)
		return;
	now = waited();
	if (now == -1 || l->wait == -1)
		return;
	if (pause - (now - l->wait) > STEAL_PAUSE)
		l->gaps += pause - (now - l->wait);
	l->waited += now - l->wait;
	l->wait = now;
}

/* Tells the figures gaps, waited, steal and interrupts, each only where it is known. */
static void steal_say(const struct steal *l)
{
	const double seconds = (double)(bench_clock() - l->begin) / NS;
	double steal, interrupts;

	if (l->wait != -1) {
		channel_say("FIGURE|gaps|%.6f", (double)l->gaps / NS / seconds);
		channel_say("FIGURE|waited|%.6f", (double)l->waited / NS / seconds);
	}
	read_stat(l->cpu, &steal, &interrupts);
	if (steal < 0 || l->steal < 0)
		return;
	channel_say("FIGURE|steal|%.6f", (steal - l->steal) / seconds);
	channel_say("FIGURE|interrupts|%.6f", (interrupts - l->interrupts) / seconds);
}

/*
 * --- a single CPU for most of a second: its clock, how much of its core is free, and who took it away.
 * Slices are as many probes as fit into 0.15 ms, and are whole when all of these are.
 */

enum { SLICE = 150000, MOST = 20000, SAME = 10 };
/* Below this part of the best twentieth a slice has few additions. */
static const double FEW = 0.75;

struct slice {
	double ghz, wide, nops;
};

static struct slice slices[MOST];
static int slice_count;

static void take_slice(struct steal *steal)
{
	const int64_t end = bench_clock() + SLICE;
	struct probe all = { .begin = 0 };
	struct probe l;
	bool whole = true;
	int probes = 0;

	do {
		l = probe_take();
		all.chain += l.chain;
		all.wide += l.wide;
		all.nops += l.nops;
		whole = whole && probe_is_whole(&l);
		steal_note(steal, l.gap);
		probes++;
	} while (whole && l.end < end);
	if (!whole || slice_count == MOST)
		return;
	slices[slice_count++] = (struct slice){ .ghz = (double)CHAIN_ADDS * probes / (double)all.chain,
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
	return &slices[(int64_t)slice_count * thousandths / 1000];
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

	while (few < slice_count && slices[few].wide < limit)
		few++;
	if (few < SAME || slice_count - few < SAME)
		return;
	say_median("nops-low", 0, few, false);
	say_median("nops-high", few, slice_count, false);
	say_median("ghz-low", 0, few, true);
	say_median("ghz-high", few, slice_count, true);
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

/* `until` is a time of bench_clock. Returns GHz, the median, or 0 when no slice was whole. */
static double single_measure(int cpu, int64_t until)
{
	const int64_t begin = bench_clock();
	const uint64_t ticks = chain_ticks();
	struct steal steal;
	double median;

	slice_count = 0;
	steal_begin(&steal, cpu);
	while (bench_clock() < until)
		take_slice(&steal);
	steal_say(&steal);
	if (ticks != 0)
		channel_say("FIGURE|tsc|%.6g", (double)(chain_ticks() - ticks) / (double)(bench_clock() - begin));
	channel_say("FIGURE|slices|%d", slice_count);
	if (slice_count == 0)
		return 0;
	say_multiply();
	qsort(slices, (size_t)slice_count, sizeof slices[0], by_ghz);
	for (int part = 50; part < 1000; part += 100)
		channel_say("FIGURE|ghz-%02d|%.4g", part / 10, at(part)->ghz);
	median = at(500)->ghz;
	qsort(slices, (size_t)slice_count, sizeof slices[0], by_wide);
	for (int part = 25; part < 1000; part += 50)
		channel_say("FIGURE|wide-%03d|%.4g", part, at(part)->wide);
	say_both_kinds();
	return median;
}

/* --- pairs of CPUs */

enum { PAIRS = 6, TRIES = 1000 };
/* Part of the time for one CPU, and part of a pair's time for its line. */
static const double SINGLE = 0.6, LINE = 0.2;

static int add(int chosen[PAIRS], int count, int cpu, int first)
{
	for (int i = 0; i < count; i++)
		if (chosen[i] == cpu)
			return count;
	if (cpu == first || count == PAIRS)
		return count;
	chosen[count] = cpu;
	return count + 1;
}

/*
 * Threads of a core are told, or usually have numbers next to each other or half of all apart; then
 * some others.
 */
static int choose(const int *cpu, int cpus, int chosen[PAIRS])
{
	uint64_t seed = 1;
	int count = 0;

	for (int i = 1; i < cpus; i++)
		if (affinity_core(cpu[0]) != -1 && affinity_core(cpu[i]) == affinity_core(cpu[0]))
			count = add(chosen, count < PAIRS - 2 ? count : PAIRS - 2, cpu[i], cpu[0]);
	count = add(chosen, count, cpu[1], cpu[0]);
	count = add(chosen, count, cpu[cpus / 2], cpu[0]);
	for (int i = 0; i < TRIES && count < PAIRS; i++)
		count = add(chosen, count, cpu[mix_next(&seed) % (uint64_t)cpus], cpu[0]);
	return count;
}

static void look_at_pair(int cpu, int other, int64_t ns)
{
	static const char *const names[WORKS] = { "chain", "wide", "loads" };
	const int64_t for_line = (int64_t)(LINE * (double)ns);
	const double line = line_one_way(cpu, other, LINE_STORES, for_line);
	const struct kept kept = pair_measure(cpu, other, ns - for_line);

	if (affinity_core(cpu) != -1 && affinity_core(other) != -1)
		channel_say("FIGURE|pair-%d-%d-told|%d", cpu, other, affinity_core(cpu) == affinity_core(other));
	if (line > 0)
		channel_say("FIGURE|pair-%d-%d-line|%.4g", cpu, other, line);
	for (int i = 0; i < WORKS; i++)
		if (kept.part[i] > 0)
			channel_say("FIGURE|pair-%d-%d-%s|%.4g", cpu, other, names[i], kept.part[i]);
}

int main(int argc, char **argv)
{
	static int cpu[CPUS_MOST];
	int other[PAIRS], pairs, cpus;
	struct bench b;
	int64_t all, single;
	double ghz;

	bench_begin(&b, argc, argv, NULL);
	b.unit = "GHz";
	if (!chain_is_known())
		bench_skip("the instructions of this processor are not known here");
	cpus = affinity_cpus(cpu);
	pairs = cpus > 1 ? choose(cpu, cpus, other) : 0;
	if (cpus > 0)
		bench_pin_to(cpu[0]);
	probe_prepare();
	bench_start(&b);
	all = (int64_t)(b.seconds * NS);
	single = pairs > 0 ? (int64_t)(SINGLE * b.seconds * NS) : all;
	ghz = single_measure(cpus > 0 ? cpu[0] : 0, b.start + single);
	if (ghz <= 0)
		bench_skip("something interrupted every 0.15 ms");
	channel_say("FIGURE|cpu|%d", cpus > 0 ? cpu[0] : 0);
	bench_tick(&b, 1);
	for (int i = 0; i < pairs; i++)
		look_at_pair(cpu[0], other[i], (all - single) / pairs);
	bench_tick(&b, 2);
	bench_end_figure(&b, ghz);
}
