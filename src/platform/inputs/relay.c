// SPDX-License-Identifier: GPL-2.0-or-later
/* relay.c - passes on octets as they come, without knowledge of movements. */
#include "platform/inputs/parts.h"
#include "bench.h"
#include "platform/inputs/octets.h"

#include <signal.h>
#include <unistd.h>

enum { ROOM = 4096 };
static pid_t emitter;

/* A real line does not close when the process at its other end dies, so the emitter is checked. */
static void look_for_emitter(void)
{
	if (getppid() != emitter)
		_exit(LINE_ENDED);
}

static void end(int number)
{
	(void)number;
	_exit(0);
}

static void end_by_signal(void)
{
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGTERM);
	if (signal(SIGTERM, end) == SIG_ERR || sigprocmask(SIG_UNBLOCK, &ends, NULL) == -1)
		bench_fail("cannot set what a signal does");
}

_Noreturn void relay(int in, int out)
{
	char octets[ROOM];
	ssize_t n;

	emitter = getppid();
	end_by_signal();
	octets_look(look_for_emitter);
	while ((n = octets_read(in, octets, sizeof octets)) > 0)
		if (!octets_write(out, octets, (size_t)n))
			_exit(LINE_ENDED);
	if (n == -1)
		bench_fail("the relay cannot read from its line");
	_exit(LINE_ENDED);
}
