// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * truth-vcpu - whether a CPU is a core. Most of the time it looks at one CPU: its clock, how much
 * of the core is left to it, and who takes it away. Then it looks at pairs of CPUs, which share a
 * core when a line goes quickly from one to the other and each slows the other down. The result is
 * the clock in GHz. Nothing here says how quick the CPU is at any work.
 */
#include "bench.h"
#include "mix.h"
#include "truth/truth-vcpu/alone.h"
#include "truth/truth-vcpu/look.h"
#include "truth/truth-vcpu/together.h"
#include "truth/shared/chain.h"
#include "truth/shared/cpus.h"
#include "truth/shared/line.h"

enum { PAIRS = 6, TRIES = 1000 };
/* Part of the time for one CPU, and part of a pair's time for its line. */
static const double ALONE = 0.6, LINE = 0.2, NS = 1e9;

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
		if (cpus_core(cpu[0]) != -1 && cpus_core(cpu[i]) == cpus_core(cpu[0]))
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
	const struct kept kept = together_look(cpu, other, ns - for_line);

	if (cpus_core(cpu) != -1 && cpus_core(other) != -1)
		channel_say("FIGURE|pair-%d-%d-told|%d", cpu, other, cpus_core(cpu) == cpus_core(other));
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
	int64_t all, alone;
	double ghz;

	bench_begin(&b, argc, argv, NULL);
	b.unit = "GHz";
	if (!chain_is_known())
		bench_skip("the instructions of this processor are not known here");
	cpus = cpus_usable(cpu);
	pairs = cpus > 1 ? choose(cpu, cpus, other) : 0;
	if (cpus > 0)
		bench_pin_to(cpu[0]);
	look_prepare();
	bench_start(&b);
	all = (int64_t)(b.seconds * NS);
	alone = pairs > 0 ? (int64_t)(ALONE * b.seconds * NS) : all;
	ghz = alone_look(cpus > 0 ? cpu[0] : 0, b.start + alone);
	if (ghz <= 0)
		bench_skip("something interrupted every 0.15 ms");
	channel_say("FIGURE|cpu|%d", cpus > 0 ? cpu[0] : 0);
	bench_tick(&b, 1);
	for (int i = 0; i < pairs; i++)
		look_at_pair(cpu[0], other[i], (all - alone) / pairs);
	bench_tick(&b, 2);
	bench_end_figure(&b, ghz);
}
