// SPDX-License-Identifier: GPL-2.0-or-later
/* tidy.c - calls the functions that clean up whenever the process ends; tidy.h is the manual. */
#include "tidy.h"
#include "channel.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 4 };
static const int ends[] = { SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGXCPU };

/* The count is lowered before a function is called, so that no function is called twice. */
static struct {
	volatile pid_t owner;
	volatile sig_atomic_t count;
	void (*function[MOST])(void);
} tidies;

static void tidy(void)
{
	const int cause = errno;
	sigset_t all, before;

	if (getpid() != tidies.owner)
		return;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	while (tidies.count > 0)
		tidies.function[--tidies.count]();
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = cause;
}

/* The raised signal stays blocked until this handler returns, and then ends the process. */
static void on_end(int number)
{
	tidy();
	signal(number, SIG_DFL);
	raise(number);
}

static void take_signals(void)
{
	struct sigaction action = { .sa_handler = on_end, .sa_flags = SA_RESTART }, before;

	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		if (sigaction(ends[i], NULL, &before) == -1)
			bench_fail("cannot see what a signal does");
		if (before.sa_handler != SIG_IGN && sigaction(ends[i], &action, NULL) == -1)
			bench_fail("cannot set what a signal does");
	}
}

/*
 * A forked process inherits handlers and exit functions, but has nothing of its own to clean up.
 */
static void begin(void)
{
	const bool first = tidies.owner == 0;

	tidies.count = 0;
	tidies.owner = getpid();
	channel_tidy = tidy;
	if (first && atexit(tidy) != 0)
		bench_fail("no memory for an exit function");
	if (first)
		take_signals();
}

void bench_tidy(void (*function)(void))
{
	if (tidies.owner != getpid())
		begin();
	if (tidies.count == MOST) {
		errno = 0;
		bench_fail("more than %d functions want to tidy up", MOST);
	}
	tidies.function[tidies.count] = function;
	tidies.count++;
}
