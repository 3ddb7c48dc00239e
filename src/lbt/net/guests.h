// SPDX-License-Identifier: GPL-2.0-or-later
/* guests.h - the processes of a server, one a connection, and whose they are. */
#ifndef NET_GUESTS_H
#define NET_GUESTS_H

#include <stdbool.h>
#include <sys/types.h>

/* How many connections are served, all of one address, and how many more may be there to greet. */
enum { MOST_SERVED = 256, MOST_OTHERS = 16 };

bool guests_have_room(void);
void guests_add(pid_t pid, const char *name);
/*
 * The connection of this process has greeted: the process gets SIGUSR1 when it is served, SIGUSR2
 * when it is not.
 */
void guests_answer(pid_t pid);
/* Takes leave of those that have ended, and tells the operator what was wrong with them. */
void guests_reap(void);
void guests_kill(void);

#endif
