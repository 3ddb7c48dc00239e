// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * signal - one operation sends a signal to this process with kill, and runs its handler, which counts
 * it. The signal has arrived when kill returns. No other process and no waiting is involved.
 */
#include "bench.h"

#include <inttypes.h>
#include <signal.h>
#include <unistd.h>

/* Written by the handler, and read only when it cannot run. */
static volatile uint64_t handled;

static void count(int number)
{
	(void)number;
	handled++;
}

int main(int argc, char **argv)
{
	const struct sigaction counting = { .sa_handler = count };
	const pid_t process = getpid();
	struct bench b;

	bench_begin(&b, argc, argv, NULL);
	if (sigaction(SIGUSR1, &counting, NULL) == -1)
		bench_fail("cannot handle a signal");
	while (bench_next(&b))
		if (kill(process, SIGUSR1) == -1)
			bench_fail("cannot send a signal");
	if (handled != b.count)
		bench_wrong("%" PRIu64 " signals were sent, and %" PRIu64 " handled", b.count, handled);
	bench_end(&b);
}
