// SPDX-License-Identifier: GPL-2.0-or-later
/* server.h - the side of the other machine. */
#ifndef NET_SERVER_H
#define NET_SERVER_H

/*
 * Serves until a signal ends it. `bind_to` is an address of this machine; with port 0 the system
 * chooses.
 */
int server_run(const char *bind_to, int port);

#endif
