// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rounds.h - an input goes there and back, each direction as often as fits. A third of the time is
 * for the first direction, which is the result, and two thirds are for the second. A pass is the
 * whole input in one piece. Figures beside the result:
 *
 *	FIGURE|fastest|4512.2			MB/s of the fastest pass of the first direction
 *	FIGURE|decompress|4170.5|MBps		rate of the second direction
 *	FIGURE|decompress-fastest|4203.1
 *	FIGURE|size|1048034			bytes after the first direction
 *	FIGURE|input|1048000			bytes of the input
 *
 * MB are 10^6 bytes of the input, in both directions.
 */
#ifndef ROUNDS_H
#define ROUNDS_H

#include "bench.h"
#include "platform/shared/input.h"

/* Returns the number of bytes written, or ends the process if it cannot do its work. */
typedef size_t rounds_pass(void *state, void *to, size_t room, const void *from, size_t size);

struct rounds {
	rounds_pass *there, *back;
	void *state;	/* for both directions */
	size_t room;	/* the most bytes that the first direction may write */
};

_Noreturn void rounds_measure(const struct rounds *r, const struct input *in, struct bench *b);

#endif
