// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * watch.h - for a program whose single operation takes longer than a second: bench_tick, which
 * notices that Run is gone, is then called too seldom. A program of short operations needs none of
 * this, and is linked without it.
 *
 *	bench_begin(&b, argc, argv, NULL);
 *	bench_watch();
 *
 * At most about a second after Run is gone the process tidies up (tidy.h) and ends, with all that
 * it has started: the copies have a process group of their own, which gets SIGTERM and, MERCY
 * later, SIGKILL. A process that is run by hand, in the group of its caller, ends alone.
 *
 * The watch uses SIGALRM and the real timer. An alarm that was set before the program began still
 * rings.
 */
#ifndef WATCH_H
#define WATCH_H

/*
 * Starts the watch. Only poll, select and sleeps return EINTR because of it; all other calls are
 * restarted.
 */
void bench_watch(void);
/*
 * Starts the watch, and once a second a read or write that waits returns EINTR too, for a process
 * that has more to check.
 */
void bench_watch_and_interrupt(void);

#endif
