// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * output.h - what x11perf says, read. On its standard output, after a header, come for each test a
 * line for each repetition and with more than one a sum:
 *
 *	x11perf - X11 performance program, version 1.2
 *	The X.Org Foundation server version 12101007 on :0
 *
 *	    3600 reps @  10.6696 msec (    93.7/sec): PutImage XY 500x500 square
 *	10000000 reps @   0.0001 msec (10200000.0/sec): 10x10 rectangle
 *	    1000 reps @ 0.0 msec (unmeasurably fast): Dot
 *	30000000 trep @   0.0001 msec (10700000.0/sec): 10x10 rectangle
 *
 * The tests come in x11perf's order. What it calls reps are objects; an option `-reps 1` may be a
 * thousand of them. A test that the server cannot do has no such line, and perhaps:
 *
 *	Could not load font '-adobe-times-medium-r-normal--10-100-75-75-p-54-iso8859-1', benchmark
 *	omitted
 */
#ifndef X11_OUTPUT_H
#define X11_OUTPUT_H

#include <stdbool.h>

enum { LABEL = 120, WORDS_LENGTH = 240 };

struct sum {
	int lines;		/* repetitions; a line that cannot be right counts as none */
	double objects, seconds;
	char label[LABEL];	/* of its first line */
};

/*
 * Adds up the repetitions with this label, or with NULL all of them: `strange` is true when they
 * are of several tests.
 */
struct sum output_sum(const char *text, const char *label, bool *strange);
int output_finished_tests(const char *text);

/* Words of others, cut, with nothing in them that would break a line of ours. */
struct words {
	char text[WORDS_LENGTH];
};
struct words output_words(const char *from, const char *to);
/* Of the lines that say something. */
struct words output_first_line(const char *text);
struct words output_last_line(const char *text);
/*
 * What stands behind `start` at the beginning of a line, blanks left out; empty when there is none.
 */
struct words output_value(const char *text, const char *start);
/* Why a test was left out, behind the header of the output; empty when x11perf does not say. */
struct words output_excuse(const char *text);
/* "status 1", "signal 9". */
struct words output_ending(int wait_status);

#endif
