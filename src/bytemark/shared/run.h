// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run.h - the frame of a test whose iterations are timed only in part:
 *
 *	run_begin(&r, argc, argv);
 *	...set up; one iteration, and check(), which calls bench_wrong if an answer is wrong...
 *	while (run_next(&r)) {
 *		...fill buffers...
 *		run_start(&r);
 *		...the work...
 *		run_stop(&r, amount of work);
 *	}
 *	...check() again...
 *	run_end(&r);
 *
 * The score is work per timed second. The window is SECONDS of real time. The further argument
 * `cpu` makes it CPU time, and extends it until the work alone has used that much, as the suite's
 * original does.
 */
#ifndef RUN_H
#define RUN_H

#include "bench.h"

struct run {
	struct bench b;
	int64_t spent, started;	/* nanoseconds: timed so far; at run_start */
	double work;
	bool cpu;
};

void run_begin(struct run *r, int argc, char **argv);
bool run_next(struct run *r);
void run_start(struct run *r);
void run_stop(struct run *r, double work);
_Noreturn void run_end(struct run *r);

#endif
