// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * x11perf.h - runs x11perf for one or several tests, on one display, and reads its output. After a
 * header it has a line for each repetition of each test, and after several repetitions a line with
 * their sum:
 *
 *	x11perf - X11 performance program, version 1.2
 *	The X.Org Foundation server version 12101007 on :0
 *
 *	    3600 reps @  10.6696 msec (    93.7/sec): PutImage XY 500x500 square
 *	10000000 reps @   0.0001 msec (10200000.0/sec): 10x10 rectangle
 *	    1000 reps @ 0.0 msec (unmeasurably fast): Dot
 *	30000000 trep @   0.0001 msec (10700000.0/sec): 10x10 rectangle
 *
 * The tests come in x11perf's order. What x11perf calls reps are objects: an option `-reps 1` may
 * mean a thousand of them. A test that the server cannot do has no result line, and perhaps:
 *
 *	Could not load font '-adobe-times-medium-r-normal--10-100-75-75-p-54-iso8859-1', benchmark
 *	omitted
 */
#ifndef X11_X11PERF_H
#define X11_X11PERF_H

#include <stdbool.h>
#include <stddef.h>

enum { LABEL = 120, WORDS_LENGTH = 240 };

struct sum {
	int lines;		/* repetitions, without lines that cannot be right */
	double objects, seconds;
	char label[LABEL];	/* label of the first line */
};

/*
 * Adds up the repetitions with this label, or all repetitions if it is NULL. `strange` is set if
 * these belong to several tests.
 */
struct sum output_sum(const char *text, const char *label, bool *strange);
int output_finished_tests(const char *text);

/*
 * Text from another program, cut to this length, without characters that would break a line of
 * ours.
 */
struct words {
	char text[WORDS_LENGTH];
};
struct words output_words(const char *from, const char *to);
/* Return the first and the last line that are not empty. */
struct words output_first_line(const char *text);
struct words output_last_line(const char *text);
/*
 * Returns what follows `start` at the beginning of a line, without leading blanks; empty if there
 * is no such line.
 */
struct words output_value(const char *text, const char *start);
/*
 * Returns the reason that x11perf prints after its header for leaving out a test; empty if it
 * prints none.
 */
struct words output_excuse(const char *text);
/* Returns "status 1" or "signal 9", for example. */
struct words output_ending(int wait_status);

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
const char *x11perf_run(const struct order *order, listener *report, void *whom, const char **words);

#endif
