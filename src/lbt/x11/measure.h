// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * measure.h - the rates of some tests of x11perf.
 *
 * Each test has an equal share of the window. x11perf can find out by itself how many repetitions
 * fill a whole number of seconds, which costs it 6 s at its start and 2 to 4 s for each test. If
 * shares are long, x11perf runs once for all tests and does that. If shares are short, it runs
 * once for each test, with a number of repetitions that was found before the clock started.
 */
#ifndef X11_MEASURE_H
#define X11_MEASURE_H

#include "bench.h"
#include "lbt/x11/output.h"

#include <stddef.h>

struct test {
	const char *name;
	double base;		/* rate that scores 1000, or 0 */
	double rate;		/* per second, once measured */
	struct words missing;	/* why it cannot be done here; empty if it can */
	/* measure_prepare sets these. */
	char label[LABEL];
	double per_rep;		/* objects drawn in one of `-reps` */
	double rep_seconds;
};

/* `share` is in seconds. */
void measure_prepare(struct test *tests, size_t n, const char *display, double share);
void measure(struct bench *b, struct test *tests, size_t n, const char *display, double share);

#endif
