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
 * The harness owns clock, gate, placement, output (channel.h) and exit: 0 measured, 1 failed, 2 usage, 77 cannot run here.
 * Run sets in the environment, beside what channel.h reads:
 *
 *	TS_READY	descriptor that gets one byte when the set-up is done
 *	TS_GATE		descriptor whose end of file starts the clock
 *	TS_CPUS		one CPU for all processes, or two (`0,4`): the second is for bench_pin(1)
 */
#ifndef BENCH_H
#define BENCH_H
#include "channel.h"

#include <stdbool.h>
#include <stdint.h>

#define BENCH_SECONDS "s"
struct bench {
	uint64_t left;		/* operations before the clock is looked at again */
	uint64_t batch;		/* operations between the last look and the next */
	uint64_t count;		/* operations done at the last look */
	int64_t start, now, stop;	/* monotonic nanoseconds; start 0: not started */
	double used[3], after[3];	/* at the start and bench_stop: user and system seconds, involuntary context switches */
	bool stopped;
	/* A program may change these between bench_begin and the start. */
	double seconds;		/* how long to measure */
	const char *unit;	/* lps; BENCH_SECONDS: the result is how long one operation takes, and less is better */
	int timebase;		/* 1; 60: a count is reported per minute; 0: as a rate per second */
	double amount;		/* 1.0: units in one operation, for rates */
};

/* Reads SECONDS from argv[1]. `usage` names all arguments where there are more ("SECONDS [DISKS]"), else it is NULL. */
void bench_begin(struct bench *b, int argc, char **argv, const char *usage);
/* The same for a program that finds its SECONDS elsewhere. */
void bench_begin_for(struct bench *b, const char *program, const char *seconds, const char *usage);
/* A whole number from `text` within the limits; anything else is a usage error that names `what`. */
long bench_number(const char *text, const char *what, long min, long max);
_Noreturn void bench_usage(void);

/* True while there is time for another operation. The first call passes the gate and starts the clock. */
bool bench_more(struct bench *b);
static inline bool bench_next(struct bench *b)
{
	return --b->left != 0 || bench_more(b);
}
/* Ends the CPU time too, for a program whose check needs some. */
void bench_stop(struct bench *b);
_Noreturn void bench_end(struct bench *b);
/* For a result of the program's own making: a rate over seconds of its choosing, or what it found out by bench_clock (ns). */
_Noreturn void bench_end_rate(struct bench *b, double rate, double seconds);
_Noreturn void bench_end_figure(struct bench *b, double figure);
int64_t bench_clock(void);
/* Moves the calling process to the first (0) or second (1) CPU of TS_CPUS; without TS_CPUS it stays. */
void bench_pin(int which);

/*
 * For programs that count by themselves: bench_start is the gate and the clock, bench_tick takes the count so far and is true
 * while time is left; it may be called from a signal handler. A program that replaces itself hands its state over as text.
 */
enum { BENCH_STATE = 160 };
void bench_start(struct bench *b);
bool bench_tick(struct bench *b, uint64_t count);
const char *bench_save(const struct bench *b, char text[BENCH_STATE]);
void bench_load(struct bench *b, const char *text);

#endif
