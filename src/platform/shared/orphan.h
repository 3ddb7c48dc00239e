// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * orphan.h - for programs that do one thing for longer than a second: bench_tick, which notices
 * that Run is gone, comes too seldom then.
 */
#ifndef ORPHAN_H
#define ORPHAN_H

/*
 * From now on the process ends within a second after Run, having called `tidy` unless that is NULL;
 * it may do what a signal handler may. Uses SIGALRM, which interrupts no call for good.
 */
void orphan_watch(void (*tidy)(void));

#endif
