// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * server.h - the side of the other machine (server.c), and the receiving side of one connection, in
 * a process of its own (receiver.c).
 */
#ifndef NET_SERVER_H
#define NET_SERVER_H

/*
 * Serves until a signal ends it. `bind_to` is an address of this machine; with port 0 the system
 * chooses.
 */
int server_run(const char *bind_to, int port);

/*
 * Serves the connection and ends the process, with an exit status for exit_reason. A correct
 * greeting is accepted unless `refusal` returns a reason against it; `refusal` may be NULL.
 */
_Noreturn void receiver_serve(int fd, const char *(*refusal)(void));
/*
 * Returns a message about the peer, from the wait status of the process that served it; NULL if all
 * was well.
 */
const char *exit_reason(int status);

#endif
