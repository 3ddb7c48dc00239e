// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * events - one operation is an event of an event loop: a pipe that can be read is reported, one byte
 * is read from it and written into another. Eight bytes, the tokens, travel among 64 pipes, and each
 * call that waits reports at most eight. There is one process, and it never sleeps: this is the work of
 * the system calls, not the time of a wake-up.
 */
#include "bench.h"
#include "modern/shared/ready.h"

#include <inttypes.h>
#include <poll.h>
#include <unistd.h>

enum { PIPES = 64, TOKENS = 8, FURTHER = 7, APART = PIPES / TOKENS };

static int from[PIPES], to[PIPES];

/* A token is its number, from 1 on: a byte that nobody wrote is no token. */
static void put(int where, int token)
{
	const unsigned char byte = (unsigned char)(token + 1);

	if (write(to[where], &byte, 1) != 1)
		bench_fail("cannot write to a pipe");
}

static int take(int where)
{
	unsigned char byte = 0;

	if (read(from[where], &byte, 1) != 1)
		bench_fail("cannot read from a pipe");
	if (byte < 1 || byte > TOKENS)
		bench_wrong("pipe %d held %d, which is not a token", where, byte);
	return byte - 1;
}

static void set_up(struct ready *r)
{
	for (int i = 0; i < PIPES; i++) {
		int fd[2];

		if (pipe(fd) == -1)
			bench_fail("cannot make pipe %d of %d", i + 1, PIPES);
		from[i] = fd[0];
		to[i] = fd[1];
	}
	for (int i = 0; i < TOKENS; i++)
		put(i * APART, i);
	ready_open(r, from, PIPES);
}

/* Where a token is tells how often it moved, and all their moves are the operations. */
static void prove(const uint64_t moves[TOKENS], uint64_t operations)
{
	uint64_t sum = 0;

	for (int i = 0; i < TOKENS; i++) {
		const int where = (int)(((uint64_t)i * APART + moves[i] * FURTHER) % PIPES);
		struct pollfd left = { .fd = from[where], .events = POLLIN };

		if (poll(&left, 1, 0) != 1 || take(where) != i)
			bench_wrong("token %d is not in pipe %d, where its moves end", i, where);
		sum += moves[i];
	}
	if (sum != operations)
		bench_wrong("the tokens moved %" PRIu64 " times in %" PRIu64 " operations", sum, operations);
}

int main(int argc, char **argv)
{
	static struct ready r;
	uint64_t moves[TOKENS] = { 0 };
	int which[TOKENS], there = 0, at = 0;
	struct bench b;

	bench_begin(&b, argc, argv, NULL);
	set_up(&r);
	while (bench_next(&b)) {
		int token;

		if (at == there) {
			there = ready_wait(&r, which, TOKENS);
			at = 0;
		}
		token = take(which[at]);
		put((which[at] + FURTHER) % PIPES, token);
		moves[token]++;
		at++;
	}
	prove(moves, b.count);
	ready_say(&r);
	bench_end(&b);
}
