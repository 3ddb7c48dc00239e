// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * watch.h - a look around once a second, for a process that waits in a read or write: a signal
 * interrupts the call. It costs nothing while bytes move.
 */
#ifndef INPUTS_WATCH_H
#define INPUTS_WATCH_H

#include <stdbool.h>

/* `look` is called in between, not in the handler: it may end the process with words. */
void watch_begin(void (*look)(void));
/* After a call that has failed: true when it is to be made again. `events` are those of poll. */
bool watch_retry(int fd, short events);

#endif
