// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chain.h - instructions whose number of cycles is known, for x86-64 and arm64. A chain is
 * additions each of which needs the one before: a cycle each, whoever else uses the core. The
 * additions of wide need nothing of each other, so they take what the core has left: another thread
 * of the core takes about half of it. Both add registers: additions of constants and moves are free
 * in newer cores.
 */
#ifndef TRUTH_CHAIN_H
#define TRUTH_CHAIN_H

#include "channel.h"

#include <stdbool.h>
#include <stdint.h>

/* How many instructions a call is; a call of 2 us makes the clock's 40 ns a small part of it. */
enum { CHAIN_ADDS = 6000, CHAIN_WIDE = 24000, CHAIN_NOPS = 24000, CHAIN_MULTIPLIES = 2000 };
/* Cycles of a multiplication, where all processors agree; 0 where they do not. */
extern const int chain_multiply_cycles;

/* False where the other functions do nothing. */
bool chain_is_known(void);
/* Returns start + CHAIN_ADDS * step. */
uint64_t chain_add(uint64_t start, uint64_t step);
/* Returns start times the CHAIN_MULTIPLIES-th power of the factor. */
uint64_t chain_multiply(uint64_t start, uint64_t factor);
/* Returns CHAIN_WIDE * step. */
uint64_t chain_wide(uint64_t step);
/* Instructions that only pass through the front of the core: no unit works on them. */
void chain_nops(void);
/* The processor's own counter of time, 0 where a program has none. */
uint64_t chain_ticks(void);
/* Ends the program with an error if a function gives a wrong sum. */
void chain_prove(void);
/* Nanoseconds of a cycle now: the least of many chains, over so many nanoseconds. */
double chain_cycle(int64_t ns);

/* Ends a probe that nobody reads any more; probes look at that between what they time. */
static inline void alive_or_leave(void)
{
	if (channel_is_dead())
		channel_leave(1);
}

#endif
