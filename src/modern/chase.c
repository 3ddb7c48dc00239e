// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chase - one operation is 64 loads, each of which needs the one before: a pointer in every line of
 * 64 bytes leads to another line, through all of the memory in a random order. No prefetcher knows
 * that order, so this is the time that memory of this size takes, not its bandwidth. With 16 chains
 * at once it is how many loads a CPU has under way.
 */
#include "bench.h"
#include "mix.h"
#include "modern/shared/pages.h"

#include <string.h>

enum { LINE = 64, LOADS = 64, CHAINS = 16, MOST_KB = 320 * 1024, ROUNDS = 3 };
static const char USAGE[] = "SECONDS KB 1|16 huge|small";

struct node {
	struct node *next;
	char rest[LINE - sizeof(struct node *)];
};

struct field {
	struct node *nodes;
	uint64_t mask;		/* their number is a power of two; less one */
	unsigned half;		/* half of the bits of a number of a node */
};

/*
 * Where the j-th node lies. Each step is undone by another one, so every line has one node: an odd
 * factor has an inverse, and so has the exclusive or with its own upper half.
 */
static struct node *node_at(const struct field *f, uint64_t j)
{
	static const uint64_t factors[ROUNDS] = { MIX_STEP, UINT64_C(0xbf58476d1ce4e5b9),
		UINT64_C(0x94d049bb133111eb) };
	uint64_t x = j & f->mask;

	for (int i = 0; i < ROUNDS; i++) {
		x = x * factors[i] & f->mask;
		x ^= x >> f->half;
	}
	return &f->nodes[x];
}

static struct field linked(const struct pages *memory)
{
	struct field f = { .nodes = memory->memory, .mask = memory->bytes / LINE - 1, .half = 0 };
	struct node *node, *next;

	while (f.mask >> (2 * f.half) != 0)
		f.half++;
	node = node_at(&f, 0);
	for (uint64_t j = 0; j <= f.mask; j++) {
		next = node_at(&f, j + 1);
		node->next = next;
		node = next;
	}
	return f;
}

/* The chains begin where they have the same way to go to each other. */
static uint64_t start_of(const struct field *f, int chain)
{
	return (f->mask + 1) / CHAINS * (uint64_t)chain;
}

static void chase_one(struct bench *b, struct node *at[])
{
	struct node *node = at[0];

	while (bench_next(b))
		for (int i = 0; i < LOADS; i++)
			node = node->next;
	at[0] = node;
}

/* Sixteen names, because an array would lie in memory. */
static void chase_all(struct bench *b, struct node *at[])
{
	struct node *n0 = at[0], *n1 = at[1], *n2 = at[2], *n3 = at[3];
	struct node *n4 = at[4], *n5 = at[5], *n6 = at[6], *n7 = at[7];
	struct node *n8 = at[8], *n9 = at[9], *n10 = at[10], *n11 = at[11];
	struct node *n12 = at[12], *n13 = at[13], *n14 = at[14], *n15 = at[15];

	while (bench_next(b))
		for (int i = 0; i < LOADS / CHAINS; i++) {
			n0 = n0->next, n1 = n1->next, n2 = n2->next, n3 = n3->next;
			n4 = n4->next, n5 = n5->next, n6 = n6->next, n7 = n7->next;
			n8 = n8->next, n9 = n9->next, n10 = n10->next, n11 = n11->next;
			n12 = n12->next, n13 = n13->next, n14 = n14->next, n15 = n15->next;
		}
	at[0] = n0, at[1] = n1, at[2] = n2, at[3] = n3;
	at[4] = n4, at[5] = n5, at[6] = n6, at[7] = n7;
	at[8] = n8, at[9] = n9, at[10] = n10, at[11] = n11;
	at[12] = n12, at[13] = n13, at[14] = n14, at[15] = n15;
}

int main(int argc, char **argv)
{
	struct node *at[CHAINS];
	struct pages memory;
	struct field field;
	struct bench b;
	uint64_t steps;
	long kb;
	int chains;

	bench_begin(&b, argc, argv, USAGE);
	if (argc != 5 || (strcmp(argv[3], "1") != 0 && strcmp(argv[3], "16") != 0))
		bench_usage();
	kb = bench_number(argv[2], "KB", 1, MOST_KB);
	if ((kb & (kb - 1)) != 0)
		bench_usage();
	chains = argv[3][1] == '\0' ? 1 : CHAINS;
	memory = pages_map((size_t)kb << 10, pages_kind(argv[4]));
	field = linked(&memory);
	for (int i = 0; i < chains; i++)
		at[i] = node_at(&field, start_of(&field, i));
	b.timebase = 0;
	b.amount = LOADS;
	(chains == 1 ? chase_one : chase_all)(&b, at);
	steps = b.count * LOADS / (uint64_t)chains;
	for (int i = 0; i < chains; i++)
		if (at[i] != node_at(&field, start_of(&field, i) + steps))
			bench_wrong("chain %d has not gone from line to line", i);
	pages_say(&memory);
	bench_end(&b);
}
