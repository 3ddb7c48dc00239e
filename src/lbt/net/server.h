// SPDX-License-Identifier: GPL-2.0-or-later
/* server.h - the other machine's side. */
#ifndef NET_SERVER_H
#define NET_SERVER_H

/*
 * Serves until a signal ends it. `bind_to` is an address of this machine, port 0 is one that the
 * system chooses.
 */
int server_run(const char *bind_to, int port);

#endif
