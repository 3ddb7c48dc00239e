// SPDX-License-Identifier: GPL-2.0-or-later
/* x11perf.h - x11perf run for one test or for several, on one display. */
#ifndef X11_X11PERF_H
#define X11_X11PERF_H

#include <stdbool.h>
#include <stddef.h>

struct order {
	const char *display;
	const char *const *names;	/* of x11perf's tests, without dash */
	size_t tests;
	long reps;			/* 0: it finds out by itself how many fill `seconds` */
	int repeat, seconds;
	double expected;		/* seconds that all of it takes, about */
	bool trial;			/* a test that breaks x11perf has no result, but words */
};

/* Called after each text that came, with all text so far; NULL for nobody. */
typedef void listener(void *whom, const char *output);

/*
 * Its standard output, and its standard error in `words`, until the next call. Whatever is not a
 * run to its end is a failure; a test without a result is none.
 */
const char *x11perf_run(const struct order *order, listener *tell, void *whom, const char **words);

#endif
