// SPDX-License-Identifier: GPL-2.0-or-later
/* watch.c - an alarm every second; one that was set before the program began stays in force. */
#include "watch.h"
#include "bench.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

static void (*look_around)(void);
/* Seconds until an alarm that whoever started the program has set; 0: none. */
static volatile sig_atomic_t limit;

static void tick(int number)
{
	if (limit > 0 && --limit == 0) {
		signal(number, SIG_DFL);
		raise(number);
	} else {
		alarm(1);
	}
}

void watch_begin(void (*look)(void))
{
	struct sigaction act = { .sa_handler = tick };
	sigset_t alarms;

	look_around = look;
	sigemptyset(&act.sa_mask);
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	if (sigaction(SIGALRM, &act, NULL) == -1 || sigprocmask(SIG_UNBLOCK, &alarms, NULL) == -1)
		bench_fail("cannot set an alarm");
	limit = (sig_atomic_t)alarm(1);
}

bool watch_retry(int fd, short events)
{
	struct pollfd p = { .fd = fd, .events = events };

	if (errno == EAGAIN && poll(&p, 1, -1) != -1)
		return true;
	if (errno != EINTR)
		return false;
	look_around();
	return true;
}
