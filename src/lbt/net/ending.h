// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ending.h - how a connection has ended on the receiving side: the exit status of the process that
 * served it.
 */
#ifndef NET_ENDING_H
#define NET_ENDING_H

#include "lbt/net/wire.h"

/* Beside 0 these are numbers with which nothing else exits. */
enum ending {
	SERVED, STRANGE = 40, SILENT, LEFT_SILENTLY, OTHER_PROTOCOL, UNKNOWN_TASK, REFUSED, LEFT,
	IDLE, OTHER_OCTETS, NO_SOCKET, ENDINGS
};

/* Tells the peer the reason in words; gives this ending back. */
enum ending ending_refuse(const struct wire *w, const char *reason, enum ending ending);
/* After a read or write that failed, by its errno. */
enum ending ending_broken(const struct wire *w);
/* What to tell of the peer by the wait status of the process; NULL when all was well. */
const char *ending_words(int status);

#endif
