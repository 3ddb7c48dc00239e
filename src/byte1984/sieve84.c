// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sieve84 - one unit runs the sieve of Eratosthenes ten times over 8,191 flags; flag i stands for
 * the odd number 2i + 3. Everything fits into the first-level cache of a present processor, so
 * this measures loops and stores, not memory.
 */
#include "bench.h"

#include <stddef.h>

enum { TIMES = 10, FLAGS = 8191, PRIMES = 1899 };

static unsigned char is_prime[FLAGS];

static int sieve(void)
{
	int primes = 0;

	for (int i = 0; i < FLAGS; i++)
		is_prime[i] = 1;
	for (int i = 0; i < FLAGS; i++) {
		if (!is_prime[i])
			continue;
		for (int multiple = 3 * i + 3; multiple < FLAGS; multiple += 2 * i + 3)
			is_prime[multiple] = 0;
		primes++;
	}
	return primes;
}

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, argc, argv, NULL);
	b.unit = BENCH_SECONDS;
	while (bench_next(&b)) {
		for (int i = 0; i < TIMES; i++) {
			const int primes = sieve();

			if (primes != PRIMES)
				bench_wrong("%d primes were found, not %d", primes, PRIMES);
			/*
			 * For the compiler, this reads the flags, so that it cannot omit a sieve.
			 */
			__asm__ volatile("" : : "r"(is_prime) : "memory");
		}
	}
	bench_end(&b);
}
