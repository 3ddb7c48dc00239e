// SPDX-License-Identifier: GPL-2.0-or-later
/* listener.h - the socket of a server. */
#ifndef NET_LISTENER_H
#define NET_LISTENER_H

#include <stdbool.h>

/* Listens. If it cannot, prints why on standard error and returns -1. */
int listener_open(const char *bind_to, int port);
/* Prints on standard output where it listens; false with errno if it cannot. */
bool listener_say(int listener);

#endif
