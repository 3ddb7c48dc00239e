// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * server.h - a private X server for x11, Xvfb, on a display number that it chooses, and what is known
 * about any X server. The private one ends when x11 ends, for whatever reason.
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

/*
 * Prints what is known about an X server; a fact that is unknown has no line:
 *
 *	display=xvfb
 *	server=The X.Org Foundation
 *	version=1.21.1.7
 *	dimensions=1024x768
 *	depth=24
 *	x11perf=1.2
 *
 * Fails if the display cannot be opened.
 */
void facts_print(const char *display);

/*
 * True if this test draws with RENDER and xdpyinfo says that the server lacks it: x11perf would
 * then draw nothing, and print the rate of doing so.
 */
bool facts_lack_render(const char *display, const char *test);

#endif
