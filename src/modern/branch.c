// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * branch - one operation is 64 branches: each calls one of two functions, chosen by the next bit
 * of a new random word. No word comes again, so no predictor can learn them, and half of the
 * branches are guessed wrong. The figure is branches a second, calls included.
 *
 *	FIGURE|mispredict|5.1e-09|s	what a wrong guess costs: twice the difference between the
 *					time of such a branch and of one whose bits are 0101...; it
 *					is measured in the last fifth of the window
 */
#include "bench.h"
#include "mix.h"
#include "spread.h"

#include <inttypes.h>

enum { BITS = 64, SEED = 11, PIECE = 256 };
static const double MEASURED = 0.8, NS = 1e9;
static const uint64_t ALTERNATING = UINT64_C(0x5555555555555555), ZERO = UINT64_C(1) << 32;

/*
 * The two functions must stay two, and the choice a branch. Each adds to another half of the sum;
 * where the lower half overflows, that of the proof does, too.
 */
__attribute__((noinline)) static uint64_t one(uint64_t sum)
{
	__asm__ volatile("" : "+r"(sum));
	return sum + 1;
}

__attribute__((noinline)) static uint64_t zero(uint64_t sum)
{
	__asm__ volatile("" : "+r"(sum));
	return sum + ZERO;
}

static inline uint64_t branches(uint64_t sum, uint64_t word)
{
	for (int i = 0; i < BITS; i++, word >>= 1)
		if (word & 1)
			sum = one(sum);
		else
			sum = zero(sum);
	return sum;
}

/* The words are made again. */
static void prove(uint64_t sum, uint64_t words)
{
	uint64_t random = SEED, known = 0;

	for (uint64_t i = 0; i < words; i++) {
		const uint64_t ones = (uint64_t)__builtin_popcountll(mix_next(&random));

		known += ones + (BITS - ones) * ZERO;
	}
	if (sum != known)
		bench_wrong("the calls add up to %" PRIx64 ", not %" PRIx64, sum, known);
}

/* Adds the time of some branches, whose words are random where `mask` has ones. */
static void add_time(struct spread *times, uint64_t *random, uint64_t mask)
{
	const int64_t start = bench_clock();
	volatile uint64_t sum = 0;

	for (int i = 0; i < PIECE; i++)
		sum = branches(sum, (mix_next(random) & mask) | (ALTERNATING & ~mask));
	spread_add(times, (uint64_t)(bench_clock() - start));
}

/* Both kinds take turns, and the middle of each is taken, so that a disturbance hardly counts. */
static void say_cost(double seconds)
{
	static struct spread wild, tame;
	const int64_t stop = bench_clock() + (int64_t)(seconds * NS);
	uint64_t random = SEED;
	double cost;

	do {
		add_time(&wild, &random, UINT64_MAX);
		add_time(&tame, &random, 0);
	} while (bench_clock() < stop);
	cost = 2 * (spread_at(&wild, 0.5) - spread_at(&tame, 0.5)) / PIECE / BITS / NS;
	if (cost > 0)
		channel_say("FIGURE|mispredict|%.4g|s", cost);
}

int main(int argc, char **argv)
{
	struct bench b;
	uint64_t random = SEED, sum = 0;
	double seconds;

	bench_begin(&b, argc, argv, NULL);
	seconds = b.seconds;
	b.seconds *= MEASURED;
	b.timebase = 0;
	b.amount = BITS;
	while (bench_next(&b))
		sum = branches(sum, mix_next(&random));
	bench_stop(&b);
	prove(sum, b.count);
	say_cost(seconds - b.seconds);
	bench_end(&b);
}
