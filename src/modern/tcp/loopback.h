// SPDX-License-Identifier: GPL-2.0-or-later
/* loopback.h - connections of a program with itself by TCP, and messages over them. */
#ifndef MODERN_TCP_LOOPBACK_H
#define MODERN_TCP_LOOPBACK_H

#include <stddef.h>

/*
 * Makes connections on 127.0.0.1 that send at once (TCP_NODELAY). Nothing listens any more when this
 * returns. A system without sockets or without this address ends the program with SKIP.
 */
void loopback_connect(int client[], int server[], int connections);
/* Sends or takes a message as a whole; anything else ends the program with ERROR. */
void loopback_send(int fd, const void *message, size_t bytes);
void loopback_take(int fd, void *message, size_t bytes);

#endif
