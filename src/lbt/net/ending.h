// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ending.h - how a connection ended on the receiving side, as the exit status of the process that
 * served it.
 */
#ifndef NET_ENDING_H
#define NET_ENDING_H

#include "lbt/net/wire.h"

/* Apart from 0, no other part of the program exits with these numbers. */
enum ending {
	SERVED, STRANGE = 40, SILENT, LEFT_SILENTLY, OTHER_PROTOCOL, UNKNOWN_TASK, REFUSED, LEFT,
	IDLE, OTHER_OCTETS, NO_SOCKET, ENDINGS
};

/* Tells the peer the reason, and returns `ending`. */
enum ending ending_refuse(const struct wire *w, const char *reason, enum ending ending);
/* Returns the ending for the errno of a failed read or write. */
enum ending ending_broken(const struct wire *w);
/* Returns a message about the peer, from the wait status of the process; NULL if all was well. */
const char *ending_words(int status);

#endif
