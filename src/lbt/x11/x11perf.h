// SPDX-License-Identifier: GPL-2.0-or-later
/* x11perf.h - runs x11perf for one or several tests, on one display. */
#ifndef X11_X11PERF_H
#define X11_X11PERF_H

#include <stdbool.h>
#include <stddef.h>

struct order {
	const char *display;
	const char *const *names;	/* names of x11perf's tests, without the dash */
	size_t tests;
	long reps;			/* 0: x11perf finds out how many fill `seconds` */
	int repeat, seconds;
	double expected;		/* estimated seconds of the whole run */
	bool trial;			/* a test that crashes x11perf only has no result */
};

/* Called after each piece of output, with all output so far; NULL: nobody is told. */
typedef void listener(void *whom, const char *output);

/*
 * Returns x11perf's standard output, and in `words` its standard error; both last until the next
 * call. A run that does not complete is a failure; a test without a result is not.
 */
const char *x11perf_run(const struct order *order, listener *tell, void *whom, const char **words);

#endif
