// SPDX-License-Identifier: GPL-2.0-or-later
/* receiver.h - the receiving side of one connection, in a process of its own. */
#ifndef NET_RECEIVER_H
#define NET_RECEIVER_H

/*
 * Serves the connection and ends the process; ending.h has its exit status. A correct greeting is
 * accepted unless `refusal` returns a reason against it; `refusal` may be NULL.
 */
_Noreturn void receiver_serve(int fd, const char *(*refusal)(void));

#endif
