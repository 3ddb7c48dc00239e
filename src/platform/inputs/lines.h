// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lines.h - the two lines, as the user chooses them: `pty`, `sockets`, or two terminals `DEV,DEV`.
 */
#ifndef INPUTS_LINES_H
#define INPUTS_LINES_H

/* Each line has two ends, and bytes go from its first to its second. */
enum line_end { EMITTER, RELAY_IN, RELAY_OUT, RECEIVER, ENDS };

/*
 * Opens the lines, or ends the program with the reason, which for an unknown word is a usage
 * error. When the program ends, the user's terminals get their former settings.
 */
void lines_open(const char *what, int end[ENDS]);
/* Closes all ends except those from `first` to `last`. */
void lines_keep(const int end[ENDS], enum line_end first, enum line_end last);
#endif
