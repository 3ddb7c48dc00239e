// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * emulation-check.h - the numbers of fp-emulation, and the check of its results. The check has a
 * file of its own: beside the arithmetic it would change what the compiler makes of that.
 */
#ifndef EMULATION_CHECK_H
#define EMULATION_CHECK_H

#include <stdint.h>

enum { ZERO, SUBNORMAL, NORMAL, INFINITE, NOT_A_NUMBER, TYPES };
enum { LIMBS = 4, NUMBERS = 3000 };

/* 2^exponent times the mantissa, a binary fraction from 0.5 to below 1; the highest limb first. */
struct number {
	uint8_t type, sign;	/* sign 1: negative */
	int16_t exponent;
	uint16_t mantissa[LIMBS];
};

/* c[i] is a[i] op b[i], for all NUMBERS. */
void emulation_check(const struct number *a, const struct number *b, const struct number *c);

#endif
