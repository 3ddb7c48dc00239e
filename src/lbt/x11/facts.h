// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * facts.h - what is known about an X server, on standard output; what nobody tells is left out:
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

/* Also finds out whether the display opens at all. */
void facts_print(const char *display);

/*
 * True when this test draws with RENDER and xdpyinfo knows that the server has none: x11perf then
 * draws nothing and prints the rate of that.
 */
bool facts_lack_render(const char *display, const char *test);

#endif
