// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * server.h - a private X server for x11: Xvfb, on a display number that it chooses. It ends when
 * x11 ends, for whatever reason.
 */
#ifndef X11_SERVER_H
#define X11_SERVER_H

#include <stdbool.h>

/*
 * Returns the new server's display, such as ":7", if `display` is the word xvfb, else `display`
 * itself.
 */
const char *server_for(const char *display);
/* Asked after a failure: true if the private server is ending, which is then the cause. */
bool server_is_gone(void);

#endif
