// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * emulation-check.h - the numbers of fp-emulation, and the check of its results. The check is a
 * file of its own because the compiler would optimise the arithmetic differently beside it.
 */
#ifndef EMULATION_CHECK_H
#define EMULATION_CHECK_H

#include <stdint.h>

enum { ZERO, SUBNORMAL, NORMAL, INFINITE, NOT_A_NUMBER, TYPES };
enum { LIMBS = 4, NUMBERS = 3000 };

/*
 * The value is 2^exponent times the mantissa, a binary fraction of at least 0.5 and below 1, with
 * the highest limb first.
 */
struct number {
	uint8_t type, sign;	/* sign 1: negative */
	int16_t exponent;
	uint16_t mantissa[LIMBS];
};

/* Checks that c[i] is a[i] op b[i], for all NUMBERS. */
void emulation_check(const struct number *a, const struct number *b, const struct number *c);

#endif
