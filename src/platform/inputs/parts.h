// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * parts.h - the two processes besides the emitter, and their messages other than those on the
 * lines.
 */
#ifndef INPUTS_PARTS_H
#define INPUTS_PARTS_H

#include <stdint.h>

/* The receiver gives up if no movement has come for this many seconds. */
enum { PATIENCE = 10 };

/*
 * Exit status of a process that ended because its line or the emitter has gone, and so has
 * reported nothing. With any other status but 0 it has reported why.
 */
enum { LINE_ENDED = 3 };

/*
 * The emitter sends this. RECEIVE: a session begins, in a pass that began at `when`. END: the pass
 * ended at `when`.
 */
struct order {
	enum { RECEIVE, END } what;
	int64_t when;
};

/* Passes on all data until SIGTERM. */
_Noreturn void relay(int in, int out);
/*
 * Answers each session on `control` with the number of movements so far, and END with figures on
 * the channel.
 */
_Noreturn void receiver(int line, int control);

#endif
