// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * heap - one operation frees one of the 4,096 blocks that a thread holds and allocates another, of
 * 16 to 2,047 bytes. One block in eight goes to the next thread, which frees it. This measures
 * malloc and free of the C library, and touches no more of a block than its two ends.
 */
#include "mix.h"
#include "modern/shared/team.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SLOTS = 4096, LEAST = 16, MOST = 2047, DOUBLINGS = 7, GIVEN = 8 };
enum { SIZE_BITS = 16, LAST_SHIFT = 56 };
static const uint64_t SIZE = (UINT64_C(1) << SIZE_BITS) - 1;

/* A block begins with a random number whose low bits are its size, and ends in its highest byte. */
typedef uint64_t block;

struct holder {
	_Alignas(TEAM_LINE) block *_Atomic mailbox;	/* for the member before */
	_Alignas(TEAM_LINE) block *slot[SLOTS];
	uint64_t made, freed;
};
static struct holder **holders;

/* As many blocks have 16 to 31 bytes as have 1,024 to 2,047. */
static size_t size_from(uint64_t random)
{
	const size_t least = (size_t)LEAST << ((random >> 16 & 0xffff) * DOUBLINGS >> 16);

	return least + ((size_t)(random >> 32) & (least - 1));
}

static block *new_block(struct holder *h, uint64_t random)
{
	const size_t size = size_from(random);
	block *made = malloc(size);

	if (!made)
		bench_fail("cannot allocate %zu bytes", size);
	*made = (random & ~SIZE) | size;
	((unsigned char *)made)[size - 1] = (unsigned char)(random >> LAST_SHIFT);
	h->made++;
	return made;
}

static void free_block(struct holder *h, block *old)
{
	const size_t size = *old & SIZE;

	if (size < LEAST || size > MOST)
		bench_wrong("a block says that it has %zu bytes", size);
	if (((unsigned char *)old)[size - 1] != *old >> LAST_SHIFT)
		bench_wrong("a block of %zu bytes has changed", size);
	free(old);
	h->freed++;
}

/* Returns a block that the member before gave away. Whoever is alone gets its own back. */
static block *traded(struct holder *h, struct holder *next, block *given)
{
	block *other = atomic_exchange_explicit(&next->mailbox, given, memory_order_acq_rel);

	return atomic_exchange_explicit(&h->mailbox, other, memory_order_acq_rel);
}

static struct holder *filled_holder(uint64_t *state)
{
	struct holder *h = team_memory(sizeof *h);

	h->mailbox = new_block(h, mix_next(state));
	for (int i = 0; i < SLOTS; i++)
		h->slot[i] = new_block(h, mix_next(state));
	return h;
}

static void work(struct member *m)
{
	uint64_t state = (uint64_t)m->number;
	struct holder *h = holders[m->number] = filled_holder(&state), *next;

	team_ready();
	next = holders[(m->number + 1) % m->of];
	while (team_goes_on()) {
		const uint64_t random = mix_next(&state);
		block **slot = &h->slot[random % SLOTS];
		free_block(h, *slot);
		*slot = new_block(h, random);
		if (h->made % GIVEN == 0)
			*slot = traded(h, next, *slot);
		team_count(m);
	}
	for (int i = 0; i < SLOTS; i++)
		free_block(h, h->slot[i]);
}

static void prove(uint64_t sum, int members)
{
	const uint64_t wanted = sum + (uint64_t)members * (SLOTS + 1);
	uint64_t made = 0, freed = 0;

	for (int i = 0; i < members; i++) {
		free_block(holders[i], holders[i]->mailbox);
		made += holders[i]->made;
		freed += holders[i]->freed;
	}
	if (made != freed || made != wanted)
		bench_wrong("%" PRIu64 " blocks were made, %" PRIu64 " freed, %" PRIu64 " counted", made, freed,
			wanted);
}

/* The allocator that users may put before that of the C library. */
static const char *allocator(void)
{
	return getenv("LD_PRELOAD") || getenv("DYLD_INSERT_LIBRARIES") ? "preload" : "libc";
}

int main(int argc, char **argv)
{
	struct bench b;
	const int members = team_begin(&b, argc, argv);
	struct member *team = team_make(members);

	holders = team_memory(sizeof *holders * (size_t)members);
	team_measure(&b, team, members, work, false);
	prove(team_sum(team, members), members);
	channel_say("HOW|%s", allocator());
	bench_end(&b);
}
