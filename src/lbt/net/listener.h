// SPDX-License-Identifier: GPL-2.0-or-later
/* listener.h - the socket of a server. */
#ifndef NET_LISTENER_H
#define NET_LISTENER_H

/*
 * Listens, and prints where on standard output. If it cannot, prints why on standard error and
 * returns -1.
 */
int listener_open(const char *bind_to, int port);

#endif
