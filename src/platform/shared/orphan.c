// SPDX-License-Identifier: GPL-2.0-or-later
/* orphan.c - a look once a second. */
#include "orphan.h"

#include "bench.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

enum { LOOK = 1 };
static void (*tidy_up)(void);

static void look(int number)
{
	const int cause = errno;

	(void)number;
	if (channel_is_dead()) {
		if (tidy_up)
			tidy_up();
		_exit(1);
	}
	alarm(LOOK);
	errno = cause;
}

void orphan_watch(void (*tidy)(void))
{
	struct sigaction action = { .sa_handler = look, .sa_flags = SA_RESTART };

	tidy_up = tidy;
	sigfillset(&action.sa_mask);
	if (sigaction(SIGALRM, &action, NULL) == -1)
		bench_fail("cannot handle a signal");
	alarm(LOOK);
}
