// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * channel.h - the lines a program reports with. Alone they go to standard error:
 *
 *	COUNT|30642109|1|lps		operations, seconds they are counted over (0: a rate already), unit
 *	TIME|10.000123
 *	CPU|3.121000|6.870000		user and system seconds, children included
 *	PREEMPTED|12			involuntary context switches, children included
 *	ERROR|cannot make a pipe: Too many open files
 *	SKIP|this system has no call to choose a CPU
 *	FIGURE|lost|3			something else that was found out: a name and a number, any number of them
 *	FIGURE|decompress|4170.5|MBps	with a unit: a measurement of its own beside the count, as sure and as comparable;
 *					s: less is better, and of several copies the mean counts, otherwise their sum
 *	MISSING|caa10text|no such font	a part of the test that cannot be done here: the result is partial
 *	NOW|412 objects			what it is doing, at most once a second, for whoever waits
 *
 * Run sets in the environment:
 *
 *	TS_RESULT	descriptor for these lines; standard error is then only logged
 *	TS_COPY		number of this copy, put before each line there: `7|COUNT|...`
 *	TS_SLICES	1: also `SLICE|nanoseconds|count so far`, about ten a second, the first is the start
 */
#ifndef CHANNEL_H
#define CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__GNUC__)
#define CHANNEL_FORMAT(format_at, values_at) __attribute__((format(printf, format_at, values_at)))
#else
#define CHANNEL_FORMAT(format_at, values_at)
#endif

/* These end the process. The cause in errno is added to a failure; bench_wrong is for answers that are not the known ones. */
_Noreturn void bench_fail(const char *format, ...) CHANNEL_FORMAT(1, 2);
_Noreturn void bench_wrong(const char *format, ...) CHANNEL_FORMAT(1, 2);
_Noreturn void bench_skip(const char *format, ...) CHANNEL_FORMAT(1, 2);

/* For FIGURE, MISSING and NOW. */
void channel_say(const char *format, ...) CHANNEL_FORMAT(1, 2);

/* The rest is for the harness. */
void channel_open(void);
void channel_slice(int64_t when, uint64_t count);
void channel_last_slice(int64_t when, uint64_t count);
/* Under Run, and nobody reads the results any more: Run was killed. */
bool channel_is_dead(void);
/* The descriptor outlives the next exec, and slices are sent at once: the process is about to be replaced. */
void channel_keep(void);
int64_t channel_last_time(void);
void channel_resume(int64_t last_slice);
/* The end of a process that does not exit, and what it does first: tidy.c sets it, NULL is nothing. */
_Noreturn void channel_leave(int status);
extern void (*channel_tidy)(void);
/* The descriptor whose number stands in this variable, closed on exec; -1 when there is none. */
int channel_descriptor(const char *name);

#endif
