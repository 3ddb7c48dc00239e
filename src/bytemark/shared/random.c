// SPDX-License-Identifier: GPL-2.0-or-later
/* random.c - see random.h. */
#include "bytemark/shared/random.h"

enum { MODULUS = 999563 };
static const uint32_t A = 254754, B = 529562;

static int32_t last, before;

void random_reset(void)
{
	last = 13;
	before = 117;
	random_draw();
}

/* The sum wraps at 32 bits before it becomes signed, so that half of the numbers are negative. */
int32_t random_draw(void)
{
	const int32_t next = (int32_t)(A * (uint32_t)last + B * (uint32_t)before) % MODULUS;

	before = last;
	last = next;
	return next;
}

int32_t random_signed(int32_t n)
{
	return random_draw() % n;
}

int32_t random_below(int32_t n)
{
	const int32_t value = random_signed(n);

	return value < 0 ? -value : value;
}
