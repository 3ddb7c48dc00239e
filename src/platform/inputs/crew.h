// SPDX-License-Identifier: GPL-2.0-or-later
/* crew.h - the relay and the receiver, as the emitter sees them. */
#ifndef INPUTS_CREW_H
#define INPUTS_CREW_H

#include "platform/inputs/lines.h"

/* Starts both and keeps the emitter's end. Returns what the receiver is told by. */
int crew_start(const int end[ENDS]);
/* Once a second: ends the program when one of them has gone. */
void crew_look(void);
/* Waits for the receiver, ends the relay; both must have done well. */
void crew_finish(void);
/*
 * Ends both and the program: with nothing when one of them has said why, else with how one was
 * killed, else with these words and errno.
 */
_Noreturn void crew_blame(const char *words);

#endif
