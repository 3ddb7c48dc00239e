// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memcpy - one pass copies the input, or copies the copy back, by the C library's memcpy in one
 * call: what a compressor would reach that had nothing to do.
 */
#include "bench.h"
#include "platform/shared/rounds.h"

#include <string.h>

/* Any function, as far as the compiler knows: it can neither leave out a call nor replace it. */
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;

static size_t copied(void *state, void *to, size_t room, const void *from, size_t size)
{
	(void)state;
	(void)room;
	copy(to, from, size);
	return size;
}

int main(int argc, char **argv)
{
	struct rounds r = { .there = copied, .back = copied };
	struct input in;
	struct bench b;

	bench_begin(&b, argc, argv, "SECONDS [FILE]");
	if (argc > 3)
		bench_usage();
	input_read(&in, argc > 2 ? argv[2] : NULL);
	r.room = in.size;
	rounds_measure(&r, &in, &b);
}
