// SPDX-License-Identifier: GPL-2.0-or-later
/* guests.h - the processes of a server, one for each connection, and the peer that each serves. */
#ifndef NET_GUESTS_H
#define NET_GUESTS_H

#include <stdbool.h>
#include <sys/types.h>

/* MOST_SERVED connections are served, all from one address; MOST_OTHERS more may be greeting. */
enum { MOST_SERVED = 256, MOST_OTHERS = 16 };

/*
 * Makes room for a connection from this address. Where there is none, the address that has most
 * connections without a greeting loses one of them, unless that is this one; then it is false.
 */
bool guests_make_room(const char *name);
void guests_add(pid_t pid, const char *name);
/*
 * Called when the connection of this process has greeted. Sends the process SIGUSR1 if it is to
 * serve the connection, else SIGUSR2.
 */
void guests_answer(pid_t pid);
/* Removes processes that have ended, and tells the operator what was wrong with their peers. */
void guests_reap(void);
void guests_kill(void);

#endif
