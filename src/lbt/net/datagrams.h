// SPDX-License-Identifier: GPL-2.0-or-later
/* datagrams.h - the UDP socket of the receiving side. */
#ifndef NET_DATAGRAMS_H
#define NET_DATAGRAMS_H

#include "lbt/net/protocol.h"

/*
 * Opens a UDP socket at the address at which the connection arrived, with a port that the system
 * chooses. Returns -1 with errno if it cannot.
 */
int datagrams_open(int connection, int *port);
/*
 * Answers the peer until it closes its sending side. False with errno if nothing comes any more.
 */
bool datagrams_answer(int fd, const struct wire *connection, struct report *r);

#endif
