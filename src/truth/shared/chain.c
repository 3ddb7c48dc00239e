// SPDX-License-Identifier: GPL-2.0-or-later
/* chain.c - the loops of chain.h stand within the assembler, so that no compiler adds to them. */
#include "truth/shared/chain.h"

#include "bench.h"
#include "mix.h"

#if defined(__x86_64__)
const int chain_multiply_cycles = 3;

bool chain_is_known(void)
{
	return true;
}

uint64_t chain_add(uint64_t start, uint64_t step)
{
	uint64_t loops = CHAIN_ADDS / 60;

	__asm__ volatile("1:\n\t.rept 60\n\tadd %[step], %[x]\n\t.endr\n\tdec %[n]\n\tjnz 1b"
		: [x] "+r"(start), [n] "+r"(loops)
		: [step] "r"(step)
		: "cc");
	return start;
}

uint64_t chain_multiply(uint64_t start, uint64_t factor)
{
	uint64_t loops = CHAIN_MULTIPLIES / 50;

	__asm__ volatile("1:\n\t.rept 50\n\timul %[f], %[x]\n\t.endr\n\tdec %[n]\n\tjnz 1b"
		: [x] "+r"(start), [n] "+r"(loops)
		: [f] "r"(factor)
		: "cc");
	return start;
}

uint64_t chain_wide(uint64_t step)
{
	uint64_t loops = CHAIN_WIDE / 240, a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;

	__asm__ volatile("1:\n\t.rept 30\n\t"
			 "add %[s], %[a]\n\tadd %[s], %[b]\n\tadd %[s], %[c]\n\tadd %[s], %[d]\n\t"
			 "add %[s], %[e]\n\tadd %[s], %[f]\n\tadd %[s], %[g]\n\tadd %[s], %[h]\n\t"
			 ".endr\n\tdec %[n]\n\tjnz 1b"
		: [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [d] "+r"(d), [e] "+r"(e), [f] "+r"(f), [g] "+r"(g),
		[h] "+r"(h), [n] "+r"(loops)
		: [s] "r"(step)
		: "cc");
	return a + b + c + d + e + f + g + h;
}

void chain_nops(void)
{
	uint64_t loops = CHAIN_NOPS / 240;

	__asm__ volatile("1:\n\t.rept 240\n\tnop\n\t.endr\n\tdec %[n]\n\tjnz 1b" : [n] "+r"(loops) : : "cc");
}

uint64_t chain_ticks(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}
#elif defined(__aarch64__)
/* Cores need 3 to 5 cycles for a multiplication of 64 bits. */
const int chain_multiply_cycles = 0;

bool chain_is_known(void)
{
	return true;
}

uint64_t chain_add(uint64_t start, uint64_t step)
{
	uint64_t loops = CHAIN_ADDS / 60;

	__asm__ volatile("1:\n\t.rept 60\n\tadd %[x], %[x], %[step]\n\t.endr\n\tsubs %[n], %[n], #1\n\tb.ne 1b"
		: [x] "+r"(start), [n] "+r"(loops)
		: [step] "r"(step)
		: "cc");
	return start;
}

uint64_t chain_multiply(uint64_t start, uint64_t factor)
{
	uint64_t loops = CHAIN_MULTIPLIES / 50;

	__asm__ volatile("1:\n\t.rept 50\n\tmul %[x], %[x], %[f]\n\t.endr\n\tsubs %[n], %[n], #1\n\tb.ne 1b"
		: [x] "+r"(start), [n] "+r"(loops)
		: [f] "r"(factor)
		: "cc");
	return start;
}

uint64_t chain_wide(uint64_t step)
{
	uint64_t loops = CHAIN_WIDE / 240, a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;

	__asm__ volatile("1:\n\t.rept 30\n\t"
			 "add %[a], %[a], %[s]\n\tadd %[b], %[b], %[s]\n\t"
			 "add %[c], %[c], %[s]\n\tadd %[d], %[d], %[s]\n\t"
			 "add %[e], %[e], %[s]\n\tadd %[f], %[f], %[s]\n\t"
			 "add %[g], %[g], %[s]\n\tadd %[h], %[h], %[s]\n\t"
			 ".endr\n\tsubs %[n], %[n], #1\n\tb.ne 1b"
		: [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [d] "+r"(d), [e] "+r"(e), [f] "+r"(f), [g] "+r"(g),
		[h] "+r"(h), [n] "+r"(loops)
		: [s] "r"(step)
		: "cc");
	return a + b + c + d + e + f + g + h;
}

void chain_nops(void)
{
	uint64_t loops = CHAIN_NOPS / 240;

	__asm__ volatile("1:\n\t.rept 240\n\tnop\n\t.endr\n\tsubs %[n], %[n], #1\n\tb.ne 1b"
		: [n] "+r"(loops)
		:
		: "cc");
}

uint64_t chain_ticks(void)
{
	return 0;
}
#else
const int chain_multiply_cycles = 0;

bool chain_is_known(void)
{
	return false;
}

uint64_t chain_add(uint64_t start, uint64_t step)
{
	return start + CHAIN_ADDS * step;
}

uint64_t chain_multiply(uint64_t start, uint64_t factor)
{
	for (int i = 0; i < CHAIN_MULTIPLIES; i++)
		start *= factor;
	return start;
}

uint64_t chain_wide(uint64_t step)
{
	return CHAIN_WIDE * step;
}

void chain_nops(void)
{
}

uint64_t chain_ticks(void)
{
	return 0;
}
#endif

void chain_prove(void)
{
	const uint64_t start = 7, step = UINT64_C(0x123456789abcdef), factor = MIX_STEP;
	uint64_t product = start;

	for (int i = 0; i < CHAIN_MULTIPLIES; i++)
		product *= factor;
	if (chain_add(start, step) != start + CHAIN_ADDS * step)
		bench_wrong("a chain of additions has another sum");
	if (chain_wide(step) != CHAIN_WIDE * step)
		bench_wrong("additions side by side have another sum");
	if (chain_multiply(start, factor) != product)
		bench_wrong("a chain of multiplications has another product");
}

double chain_cycle(int64_t ns)
{
	const int64_t end = bench_clock() + ns;
	int64_t least = INT64_MAX;
	uint64_t sum = 0;

	for (int64_t begin = bench_clock(), took; begin < end; begin = bench_clock()) {
		sum = chain_add(sum, 1);
		took = bench_clock() - begin;
		if (took < least)
			least = took;
		alive_or_leave();
	}
	return (double)least / CHAIN_ADDS;
}
