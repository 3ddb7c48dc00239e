// SPDX-License-Identifier: GPL-2.0-or-later
/* watch.c - checks once a second whether Run is still there; watch.h is the manual. */
#include "watch.h"
#include "channel.h"

#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* The time that other copies have to tidy up. */
static const struct timespec MERCY = { .tv_sec = 2 };
static bool own_group;
/* Seconds until an alarm rings that was set before the program began; 0: there is none. */
static volatile sig_atomic_t limit;

static _Noreturn void leave(void)
{
	if (channel_tidy)
		channel_tidy();
	if (own_group) {
		signal(SIGTERM, SIG_IGN);
		kill(0, SIGTERM);
		nanosleep(&MERCY, NULL);
		kill(0, SIGKILL);
	}
	_exit(1);
}

static void look(int number)
{
	const int cause = errno;

	if (channel_is_dead())
		leave();
	if (limit > 0 && --limit == 0) {
		if (channel_tidy)
			channel_tidy();
		signal(number, SIG_DFL);
		raise(number);
	}
	errno = cause;
}

static void watch(int flags)
{
	const struct itimerval every_second = { { 1, 0 }, { 1, 0 } };
	struct sigaction action = { .sa_handler = look, .sa_flags = flags };
	struct itimerval before;
	sigset_t alarms;

	sigfillset(&action.sa_mask);
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	own_group = getpgrp() != getpgid(getppid());
	if (sigaction(SIGALRM, &action, NULL) == -1 ||
			setitimer(ITIMER_REAL, &every_second, &before) == -1 ||
			sigprocmask(SIG_UNBLOCK, &alarms, NULL) == -1)
		bench_fail("cannot set a timer");
	/*
	 * Whoever sets an alarm sets it without an interval; a timer with an interval is the
	 * watch's own.
	 */
	if (before.it_interval.tv_sec == 0)
		limit = (sig_atomic_t)before.it_value.tv_sec + (before.it_value.tv_usec > 0);
}

void bench_watch(void)
{
	watch(SA_RESTART);
}

void bench_watch_and_interrupt(void)
{
	watch(0);
}
