// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * thread - one operation makes a thread that adds 1 to a number, and waits for its end. A libc that
 * keeps the stack of the last thread for the next does so here too, as programs see it.
 */
#include "bench.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>

static void *add_one(void *number)
{
	++*(uint64_t *)number;
	return NULL;
}

int main(int argc, char **argv)
{
	struct bench b;
	uint64_t threads = 0;

	bench_begin(&b, argc, argv, NULL);
	while (bench_next(&b)) {
		pthread_t thread;
		errno = pthread_create(&thread, NULL, add_one, &threads);
		if (errno != 0)
			bench_fail("cannot make a thread");
		errno = pthread_join(thread, NULL);
		if (errno != 0)
			bench_fail("cannot wait for a thread");
	}
	if (threads != b.count)
		bench_wrong("%" PRIu64 " of %" PRIu64 " threads did their work", threads, b.count);
	bench_end(&b);
}
