// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memcpy - one pass copies the input, or copies the copy back, by one call of the C library's
 * memcpy: the rate that a compressor would reach if it had nothing to do.
 */
#include "bench.h"
#include "platform/shared/rounds.h"

#include <string.h>

/*
 * A volatile pointer may point to any function, so the compiler can neither omit nor replace a
 * call.
 */
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
