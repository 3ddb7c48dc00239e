// SPDX-License-Identifier: GPL-2.0-or-later
/* load.h - threads that compute while the sleeper sleeps. */
#ifndef WAKEUP_LOAD_H
#define WAKEUP_LOAD_H

enum { MOST_LOAD = 4096 };

/*
 * Returns how many threads that are: as many as wanted; for -1 one for each CPU that this process may
 * use, where the copies divide them among themselves.
 */
long load_threads(long wanted, long copies);
void load_start(long threads);
/* Ends them all. */
void load_end(void);

#endif
