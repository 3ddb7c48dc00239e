// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fork64 - one operation forks a process that has 64 MB in small pages. The child writes to 1,024
 * places of it, each of which the kernel copies first, tells their sum, and ends; the parent waits.
 * That is what a fork costs a server with data. Nothing is executed, and the parent's own memory stays
 * as it is.
 */
#include "bench.h"
#include "mix.h"
#include "modern/shared/pages.h"

#include <inttypes.h>
#include <sys/wait.h>
#include <unistd.h>

/* All distances are in bytes, whatever the pages of a system are: with 4 KB, every 16th is copied. */
enum { BYTES = 64 << 20, PAGE = 4096, APART = 16 * PAGE, COPIED = BYTES / APART };
static const uint64_t SEED = 64;

static char *memory;

static volatile uint64_t *word_at(size_t at)
{
	return (volatile uint64_t *)(void *)(memory + at);
}

/* Returns the sum of the words that children change. */
static uint64_t fill(void)
{
	uint64_t seed = SEED, sum = 0;

	for (size_t at = 0; at < BYTES; at += PAGE) {
		*word_at(at) = mix_next(&seed);
		if (at % APART == 0)
			sum += *word_at(at);
	}
	return sum;
}

/* It adds up what stands there after all writes, so that a write that is lost changes the sum. */
static _Noreturn void change(uint64_t number, int answer)
{
	uint64_t sum = 0;

	for (size_t at = 0; at < BYTES; at += APART)
		*word_at(at) += number;
	for (size_t at = 0; at < BYTES; at += APART)
		sum += *word_at(at);
	_exit(write(answer, &sum, sizeof sum) == sizeof sum ? 0 : 1);
}

/* The pipe holds the answer of a child that has ended well. */
static uint64_t answer_of(pid_t child, int answer)
{
	uint64_t sum;
	int status;

	if (waitpid(child, &status, 0) != child)
		bench_fail("cannot wait for a process");
	if (status != 0)
		bench_wrong("a process ended with wait status %d instead of 0", status);
	if (read(answer, &sum, sizeof sum) != sizeof sum)
		bench_fail("cannot read the answer of a process");
	return sum;
}

static void prove_unchanged(void)
{
	uint64_t seed = SEED;

	for (size_t at = 0; at < BYTES; at += PAGE)
		if (*word_at(at) != mix_next(&seed))
			bench_wrong("a child changed the memory of its parent at %zu", at);
}

int main(int argc, char **argv)
{
	uint64_t sum, number = 0;
	struct bench b;
	int answer[2];

	bench_begin(&b, argc, argv, NULL);
	memory = pages_map(BYTES, PAGES_SMALL).memory;
	sum = fill();
	if (pipe(answer) == -1)
		bench_fail("cannot make a pipe");
	while (bench_next(&b)) {
		const pid_t child = fork();
		uint64_t found;

		number++;
		if (child == 0)
			change(number, answer[1]);
		if (child == -1)
			bench_fail("cannot make a process");
		found = answer_of(child, answer[0]);
		if (found != sum + COPIED * number)
			bench_wrong("a child's sum is %" PRIu64 ", not %" PRIu64, found, sum + COPIED * number);
	}
	prove_unchanged();
	bench_end(&b);
}
