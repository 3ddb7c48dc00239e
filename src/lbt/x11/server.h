// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * server.h - an X server of x11's own: Xvfb, on a display number that it chooses. It ends with x11,
 * whatever ends that.
 */
#ifndef X11_SERVER_H
#define X11_SERVER_H

#include <stdbool.h>

/* The server's display, ":7"; or `display` itself when it is not the word xvfb. */
const char *server_for(const char *display);
/* For when something has failed: true when there was a server of our own and it ends just now. */
bool server_is_gone(void);

#endif
