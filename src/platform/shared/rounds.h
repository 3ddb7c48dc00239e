// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rounds.h - an input goes there and back, each as often as fits: a third of the time is for the
 * first direction, which is the result, two thirds are for the second. A pass is the whole input
 * as one chunk. Beside the result:
 *
 *	FIGURE|fastest|4512.2			MB/s of the fastest pass of the first direction
 *	FIGURE|decompress|4170.5|MBps		the second direction
 *	FIGURE|decompress-fastest|4203.1
 *	FIGURE|size|1048034			bytes that the input becomes
 *	FIGURE|input|1048000			its own
 *
 * MB are 10^6 bytes of the input, in both directions.
 */
#ifndef ROUNDS_H
#define ROUNDS_H

#include "bench.h"
#include "platform/shared/input.h"

/* Returns how many bytes it has written; one that cannot do its work ends the process. */
typedef size_t rounds_pass(void *state, void *to, size_t room, const void *from, size_t size);

struct rounds {
	rounds_pass *there, *back;
	void *state;	/* for both */
	size_t room;	/* bytes that the input may become */
};

_Noreturn void rounds_measure(const struct rounds *r, const struct input *in, struct bench *b);

#endif
