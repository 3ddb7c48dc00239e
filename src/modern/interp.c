// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * interp - one operation is a run of a program of 29 bytecodes on a small register machine: which
 * number below 3000 has the longest Collatz sequence, and how many numbers have a sequence of each
 * length. The figure is millions of bytecodes a second. An interpreter branches on what it loads,
 * as CPython, Lua and the kernel's eBPF do; there is no compilation to machine code here.
 */
#include "bench.h"
#include "modern/interp/machine.h"

#include <inttypes.h>

/* What the machine must find, worked out in C. */
struct answer {
	uint64_t number, length;
	uint64_t lengths[MEMORY];	/* how many numbers have a sequence of this length */
	uint64_t steps;			/* bytecodes in a run */
};

/* A round of the machine's loop is 8 bytecodes for an odd number and 6 for an even one. */
static uint64_t follow(uint64_t x, uint64_t *steps)
{
	uint64_t length = 0;

	for (; x != 1; length++) {
		*steps += x % 2 ? 8 : 6;
		x = x % 2 ? 3 * x + 1 : x / 2;
	}
	return length;
}

/*
 * Besides the rounds there are 6 bytecodes before the loops, 3 for each word of memory, 9 for each
 * number, 2 more for one that is the best so far, and the last.
 */
static void work_out(struct answer *a)
{
	a->steps = 6 + 3 * MEMORY + 1;
	for (uint64_t n = 1; n < LIMIT; n++) {
		const uint64_t length = follow(n, &a->steps);

		a->lengths[length]++;
		a->steps += 9;
		if (length > a->length) {
			a->length = length;
			a->number = n;
			a->steps += 2;
		}
	}
}

static void check(const char *what, uint64_t is, uint64_t known)
{
	if (is != known)
		bench_wrong("%s is %" PRIu64 ", not %" PRIu64, what, is, known);
}

int main(int argc, char **argv)
{
	static struct machine m;
	static struct answer known;
	struct bench b;

	bench_begin(&b, argc, argv, NULL);
	work_out(&known);
	b.unit = "Mops";
	b.timebase = 0;
	b.amount = (double)known.steps / 1e6;
	machine_run(&m);
	while (bench_next(&b))
		if (machine_run(&m) != known.steps)
			break;
	check("the number of bytecodes", m.steps, known.steps);
	check("the number with the longest sequence", m.number, known.number);
	check("its length", m.length, known.length);
	for (int i = 0; i < MEMORY; i++)
		check("the count of a length", m.memory[i], known.lengths[i]);
	bench_end(&b);
}
