// SPDX-License-Identifier: GPL-2.0-or-later
/* datagrams.h - the UDP socket of the receiving side. */
#ifndef NET_DATAGRAMS_H
#define NET_DATAGRAMS_H

#include "lbt/net/protocol.h"

/*
 * A UDP socket at the address at which the connection arrived, with a port that the system chooses;
 * -1 with errno.
 */
int datagrams_open(int connection, int *port);
/*
 * Answers the peer of the connection until its sending side ends; false with errno when nothing
 * comes any more.
 */
bool datagrams_answer(int fd, const struct wire *connection, struct report *r);

#endif
