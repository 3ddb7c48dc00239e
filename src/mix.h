// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mix.h - random numbers (splitmix64 by Sebastiano Vigna): the same everywhere, and cheap enough for a
 * measured loop. A seed is any number; each call moves it on.
 */
#ifndef MIX_H
#define MIX_H

#include <stdint.h>

/* 2^64 divided by the golden ratio, an odd number: its multiples are far from each other. */
#define MIX_STEP UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t mix_next(uint64_t *state)
{
	uint64_t z = *state += MIX_STEP;

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

#endif
