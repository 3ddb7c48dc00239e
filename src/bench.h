// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench.h - the harness of every measured program, and its manual.
 *
 * A program is called `NAME SECONDS [arguments]` and reads from top to bottom:
 *
 *	struct bench b;
 *	bench_begin(&b, argc, argv, NULL);
 *	...set up...
 *	while (bench_next(&b)) {
 *		...one operation, with its check...
 *	}
 *	...prove the work: bench_wrong("...") when an answer is not the known one...
 *	bench_end(&b);
 *
 * The harness owns the clock, the gate, placement, output (channel.h) and
 * exit: 0 measured, 1 failed, 2 usage, 77 cannot run here. Besides the variables that channel.h
 * reads, Run sets:
 *
 *	TS_READY	descriptor that gets one byte when the set-up is done
 *	TS_GATE		descriptor whose end of file starts the clock
 *	TS_CPUS		one CPU for all processes, or several (`0,4`): the next ones are for bench_pin(1),
 *			bench_pin(2) and so on
 *	TS_WARM		seconds of operations before those that count: the first of a process are
 *			slower, because the kernel looks for memory and caches are cold
 */
#ifndef BENCH_H
#define BENCH_H
#include "channel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BENCH_SECONDS "s"
struct bench {
	uint64_t left;		/* operations before the clock is looked at again */
	uint64_t batch;		/* operations between the last look and the next */
	uint64_t count;		/* operations done at the last look */
	uint64_t before;	/* those of the warm-up among them */
	int64_t start, now, stop;	/* monotonic nanoseconds; start 0: not started */
	double used[4], after[4];	/* user s, system s, preemptions, sleeps: at start, at stop */
	bool stopped;
	/* A program may change these between bench_begin and the start of the clock. */
	double seconds;		/* how long to measure */
	const char *unit;	/* "lps"; BENCH_SECONDS: the result is the time of an operation */
	int timebase;		/* seconds a count is reported over; 0: it is a rate per second */
	double amount;		/* units in one operation, for rates; 1.0 by default */
	bool unequal;		/* operations differ: turns of a few of them tell nothing */
};

/*
 * Reads SECONDS from argv[1]. `usage` lists all arguments if there are more ("SECONDS [DISKS]"),
 * else it is NULL.
 */
void bench_begin(struct bench *b, int argc, char **argv, const char *usage);
/* Like bench_begin, for a program that finds its SECONDS elsewhere. */
void bench_begin_for(struct bench *b, const char *program, const char *seconds, const char *usage);
/*
 * Reads a whole number within the limits from `text`; anything else is a usage error that names
 * `what`.
 */
long bench_number(const char *text, const char *what, long min, long max);
_Noreturn void bench_usage(void);

/*
 * True while there is time for another operation. The first call waits at the gate and starts the
 * clock.
 */
bool bench_more(struct bench *b);
static inline bool bench_next(struct bench *b)
{
	return --b->left != 0 || bench_more(b);
}
/* Stops the measurement of CPU time early, for a program whose check needs CPU time. */
void bench_stop(struct bench *b);
_Noreturn void bench_end(struct bench *b);
/*
 * End with a result that the program computed: a rate over seconds of its choosing, or a figure
 * that it measured with bench_clock (ns).
 */
_Noreturn void bench_end_rate(struct bench *b, double rate, double seconds);
_Noreturn void bench_end_figure(struct bench *b, double figure);
int64_t bench_clock(void);
/*
 * Moves the calling process, or thread, to the first (0), second (1) ... CPU of TS_CPUS, and after the
 * last to the first again; without TS_CPUS it does nothing. bench_pin_to is told the CPU itself.
 * Where none may be chosen the test is skipped. bench_cpus tells how many there are.
 */
void bench_pin(int which);
void bench_pin_to(int cpu);
int bench_cpus(void);

/*
 * For programs that count by themselves. bench_start waits at the gate and starts the clock;
 * bench_tick takes the count so far, is true while time is left, and may be called from a signal
 * handler. A program that replaces itself hands its state over as text.
 */
enum { BENCH_STATE = 320 };
void bench_start(struct bench *b);
bool bench_tick(struct bench *b, uint64_t count);
const char *bench_save(const struct bench *b, char text[BENCH_STATE]);
void bench_load(struct bench *b, const char *text);

#endif
