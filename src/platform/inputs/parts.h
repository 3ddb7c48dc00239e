// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * parts.h - what the processes beside the emitter do, and what they and it tell each other beside
 * the lines.
 */
#ifndef INPUTS_PARTS_H
#define INPUTS_PARTS_H

#include <stdint.h>

/* The receiver gives up when no movement has come for so many seconds. */
enum { PATIENCE = 10 };

/*
 * The exit status of a process whose line or emitter has gone: it leaves it to others to say why.
 * After any other but 0 it has said so itself.
 */
enum { LINE_ENDED = 3 };

/*
 * From the emitter: a session begins, of a pass that has begun at `when`; or the pass was over
 * at `when`.
 */
struct order {
	enum { RECEIVE, END } what;
	int64_t when;
};

/* Passes on until SIGTERM. */
_Noreturn void relay(int in, int out);
/*
 * Answers each session on `control` with the number of movements of all so far, and the end with
 * figures on the channel.
 */
_Noreturn void receiver(int line, int control);

#endif
