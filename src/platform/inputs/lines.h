// SPDX-License-Identifier: GPL-2.0-or-later
/* lines.h - the two lines, by a word of the user: `pty`, `sockets`, or two terminals `DEV,DEV`. */
#ifndef INPUTS_LINES_H
#define INPUTS_LINES_H

/* Bytes go from the first of a line's ends to the second. */
enum line_end { EMITTER, RELAY_IN, RELAY_OUT, RECEIVER, ENDS };

/*
 * Sets the ends; ends the program with what is wrong, a word of no meaning by how to call it. At the
 * end of the program the user's terminals are what they were.
 */
void lines_open(const char *what, int end[ENDS]);
/* Closes all ends but those between these two, inclusive. */
void lines_keep(const int end[ENDS], enum line_end first, enum line_end last);
#endif
