// SPDX-License-Identifier: GPL-2.0-or-later
/* crew.h - the relay and the receiver, as the emitter sees them. */
#ifndef INPUTS_CREW_H
#define INPUTS_CREW_H

#include "platform/inputs/lines.h"

/* Starts both and keeps the emitter's end. Returns the descriptor for orders to the receiver. */
int crew_start(const int end[ENDS]);
/* Called once a second: ends the program if one of them has gone. */
void crew_look(void);
/* Waits for the receiver, then ends the relay; both must have succeeded. */
void crew_finish(void);
/*
 * Ends both and the program. If one of them has reported why, nothing is added; else the message
 * is how one was killed, or else `words` and errno.
 */
_Noreturn void crew_blame(const char *words);

#endif
