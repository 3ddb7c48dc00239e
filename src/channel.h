// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * channel.h - the lines a program reports with. Run by hand, a program writes them to standard
 * error:
 *
 *	COUNT|30642109|1|lps		operations, seconds (0: it is a rate already), unit
 *	TIME|10.000123
 *	CPU|3.121000|6.870000		user and system seconds, children included
 *	PREEMPTED|12			involuntary context switches, children included
 *	SLEPT|3				voluntary ones, where a process waited for something
 *	FAULTS|4096|0			minor and major page faults, children included
 *	EVENT|cycles_user|84|9|9	what perf.h counts, in passes for that
 *	NOEVENT|hardware|no counters	why it is not counted
 *	ERROR|cannot make a pipe: Too many open files
 *	SKIP|this system has no call to choose a CPU
 *	FIGURE|lost|3			another number and its name; any number of these
 *	FIGURE|decompress|4170.5|MBps	with a unit: a second measurement, as comparable as the
 *					count. Run adds up the copies; with the unit s, where less
 *					is better, it takes their mean
 *	FIGURE|huge|0.998|each		no measurement but something that each copy has, such as a
 *					share or a size: not the sum of the copies but their mean
 *	MISSING|caa10text|no such font	a part of the test that cannot be done here, so that the
 *					result is partial
 *	HOW|futex			by what means the work was done, where systems differ
 *	NOW|412 objects			what the program is doing, at most once a second
 *
 * Run sets in the environment:
 *
 *	TS_RESULT	descriptor for these lines; standard error is then only logged
 *	TS_COPY		number of this copy, put before each line there: `7|COUNT|...`
 *	TS_SLICES	how many parts of the run to tell of, at most 100, which 1 means, too: also
 *			`SLICE|nanoseconds|count so far|nanoseconds of CPU time` at the start and
 *			at the end of each; that is the CPU time of the process without children
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

/*
 * These end the process. bench_fail adds the cause in errno; bench_wrong is for a result that
 * differs from the known answer.
 */
_Noreturn void bench_fail(const char *format, ...) CHANNEL_FORMAT(1, 2);
_Noreturn void bench_wrong(const char *format, ...) CHANNEL_FORMAT(1, 2);
_Noreturn void bench_skip(const char *format, ...) CHANNEL_FORMAT(1, 2);

/* Sends a line: FIGURE, MISSING, HOW or NOW. */
void channel_say(const char *format, ...) CHANNEL_FORMAT(1, 2);

/* The functions from here on are for the harness. */
void channel_open(void);
/* `window` is how many nanoseconds the program shall measure. */
void channel_start(int64_t when, int64_t window);
void channel_slice(int64_t when, uint64_t count);
void channel_last_slice(int64_t when, uint64_t count);
/*
 * True when the program was started by Run and nobody reads the results any more, because Run was
 * killed.
 */
bool channel_is_dead(void);
/*
 * Keeps the descriptor open over the next exec and sends slices at once, for a process that is
 * about to replace itself.
 */
void channel_keep(void);
int64_t channel_last_time(void);
void channel_resume(int64_t last_slice, int64_t window);
/*
 * channel_leave ends a process that must not call exit. It calls channel_tidy first, which tidy.c
 * sets, unless that is NULL.
 */
_Noreturn void channel_leave(int status);
extern void (*channel_tidy)(void);
/*
 * Returns the descriptor whose number this environment variable holds, now closed on exec; -1 if
 * there is none.
 */
int channel_descriptor(const char *name);

#endif
