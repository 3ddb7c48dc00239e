// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * facts.h - prints what is known about an X server; a fact that is unknown has no line:
 *
 *	display=xvfb
 *	server=The X.Org Foundation
 *	version=1.21.1.7
 *	dimensions=1024x768
 *	depth=24
 *	x11perf=1.2
 */
#ifndef X11_FACTS_H
#define X11_FACTS_H

#include <stdbool.h>

/* Fails if the display cannot be opened. */
void facts_print(const char *display);

/*
 * True if this test draws with RENDER and xdpyinfo says that the server lacks it: x11perf would
 * then draw nothing, and print the rate of doing so.
 */
bool facts_lack_render(const char *display, const char *test);

#endif
