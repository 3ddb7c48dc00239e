// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * watch.h - for a program that does one thing for longer than a second: bench_tick, which notices
 * that Run is gone, comes too seldom then. A program that only loops needs none of this, and is
 * linked without it.
 *
 *	bench_begin(&b, argc, argv, NULL);
 *	bench_watch();
 *
 * About a second after Run the process tidies up (tidy.h) and ends, with all that it has started:
 * the copies have a process group of their own, which gets SIGTERM and, MERCY later, SIGKILL. In
 * the group of whoever started it, as by hand, the process ends alone.
 *
 * It takes SIGALRM and the real timer. An alarm that was set before the program began still rings.
 */
#ifndef WATCH_H
#define WATCH_H

/* From now on. It interrupts no call for good but poll, select and sleeps, which return EINTR. */
void bench_watch(void);
/*
 * The same, and once a second a read or write that waits returns EINTR: for a process that has more
 * to look after.
 */
void bench_watch_and_interrupt(void);

#endif
