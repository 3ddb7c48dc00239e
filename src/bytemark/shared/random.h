// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * random.h - the generator of all tests of this suite. It has one seed, so resetting it gives the
 * same numbers again: 298961 (which the reset discards), -515045, 392519, -200022 ...
 */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

void random_reset(void);
int32_t random_draw(void);		/* -999562 to 999562 */
int32_t random_signed(int32_t n);	/* the remainder of a draw, with its sign */
int32_t random_below(int32_t n);	/* 0 to n - 1 */

#endif
