// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fp-emulation - one iteration is 3,000 additions, subtractions, multiplications and divisions of
 * floating-point numbers that are made of integers: a mantissa is four limbs of 16 bits, which are
 * shifted bit by bit, and carries are passed by address. Wider limbs would be a different test.
 * All numbers are normal, so special numbers cost no more than the switch that looks for them.
 */
#include "bytemark/shared/emulation-check.h"
#include "bytemark/shared/run.h"

#include <string.h>

enum operation { ADD, SUBTRACT, MULTIPLY, DIVIDE };
enum { LAST = LIMBS - 1, MANTISSA_BITS = 16 * LIMBS };
enum { LOWEST_EXPONENT = -32767, HIGHEST_EXPONENT = 32767, RANGE = 50000 };
static const uint16_t TOP_BIT = 0x8000, KEPT = 0xfff8;

enum {
	ADDITIONS, SUBTRACTIONS, MULTIPLICATIONS, DIVISIONS, ADD16, SUB16, SHIFTS_LEFT,
	SHIFTS_RIGHT, STICKY_SHIFTS, SUM_SHIFTS, PRODUCT_SHIFTS, DIVISION_ROUNDS,
	DIVISION_SUBTRACTIONS,
};
static const char *const tallies[] = {
	"additions", "subtractions", "multiplications", "divisions", "add16", "sub16",
	"shifts left", "shifts right", "sticky shifts", "sum shifts", "product shifts",
	"division rounds", "division subtractions", NULL,
};

static void add16(uint16_t *carry, uint16_t *sum, uint16_t b, uint16_t c)
{
	const uint32_t t = (uint32_t)b + c + *carry;

	TALLY(ADD16, 1);
	*carry = (uint16_t)(t >> 16 & 1);
	*sum = (uint16_t)t;
}

static void sub16(uint16_t *borrow, uint16_t *difference, uint16_t b, uint16_t c)
{
	const uint32_t t = (uint32_t)b - c - *borrow;

	TALLY(SUB16, 1);
	*borrow = (uint16_t)(t >> 16 & 1);
	*difference = (uint16_t)t;
}

static void shift_left(uint16_t *carry, uint16_t mantissa[LIMBS])
{
	TALLY(SHIFTS_LEFT, 1);
	for (int i = LAST; i >= 0; i--) {
		uint16_t limb = mantissa[i];
		const uint16_t out = limb & TOP_BIT;

		limb = (uint16_t)(limb << 1);
		if (*carry)
			limb |= 1;
		*carry = out;
		mantissa[i] = limb;
	}
}

static void shift_right(uint16_t *carry, uint16_t mantissa[LIMBS])
{
	TALLY(SHIFTS_RIGHT, 1);
	for (int i = 0; i < LIMBS; i++) {
		uint16_t limb = mantissa[i];
		const uint16_t out = limb & 1;

		limb >>= 1;
		if (*carry)
			limb |= TOP_BIT;
		*carry = out;
		mantissa[i] = limb;
	}
}

static bool is_zero(const uint16_t mantissa[LIMBS])
{
	return (mantissa[0] | mantissa[1] | mantissa[2] | mantissa[3]) == 0;
}

static bool exceeds(const uint16_t a[LIMBS], const uint16_t b[LIMBS])
{
	for (int i = 0; i < LIMBS; i++)
		if (a[i] != b[i])
			return a[i] > b[i];
	return false;
}

/* A bit that is shifted out stays set as the lowest one. */
static void shift_right_sticky(struct number *x, int n)
{
	if (x->type == ZERO)
		return;
	if (n >= MANTISSA_BITS) {
		memset(x->mantissa, 0, sizeof x->mantissa);
		x->mantissa[LAST] = 1;
		return;
	}
	for (; n > 0; n--) {
		uint16_t carry = 0;

		TALLY(STICKY_SHIFTS, 1);
		shift_right(&carry, x->mantissa);
		if (carry)
			x->mantissa[LAST] |= 1;
	}
}

static void normalise(struct number *x)
{
	while (!(x->mantissa[0] & TOP_BIT)) {
		uint16_t carry = 0;

		TALLY(SUM_SHIFTS, 1);
		shift_left(&carry, x->mantissa);
		x->exponent--;
	}
}

static void set_special(struct number *x, uint8_t type, int sign)
{
	*x = (struct number){ .type = type, .sign = (uint8_t)sign, .exponent = LOWEST_EXPONENT };
	if (type == NOT_A_NUMBER) {
		x->sign = 1;
		x->exponent = HIGHEST_EXPONENT;
		x->mantissa[0] = 0x4000;
	}
}

static void denormalise(struct number *x)
{
	const int below = LOWEST_EXPONENT - x->exponent;

	if (is_zero(x->mantissa) || below <= 0)
		return;
	if (below >= MANTISSA_BITS) {
		set_special(x, ZERO, x->sign);
		return;
	}
	x->exponent = (int16_t)(x->exponent + below);
	shift_right_sticky(x, below);
}

/* Rounds by chopping; the exponents are far from overflow. */
static void round_off(struct number *x)
{
	if (x->type != NORMAL && x->type != SUBNORMAL)
		return;
	denormalise(x);
	if (x->type != ZERO)
		x->mantissa[LAST] &= KEPT;
}

static void from_int(int32_t value, struct number *x)
{
	const uint32_t magnitude = value < 0 ? 0 - (uint32_t)value : (uint32_t)value;

	*x = (struct number){ .type = value ? NORMAL : ZERO, .sign = value < 0 };
	if (value == 0)
		return;
	x->exponent = 32;
	x->mantissa[0] = (uint16_t)(magnitude >> 16);
	x->mantissa[1] = (uint16_t)(magnitude & 0xffff);
	normalise(x);
}

static void larger_nan(const struct number *x, const struct number *y, struct number *z)
{
	if (x->type == y->type)
		*z = exceeds(y->mantissa, x->mantissa) ? *y : *x;
	else
		*z = x->type == NOT_A_NUMBER ? *x : *y;
}

static void add_magnitudes(const struct number *x, const struct number *y, struct number *z)
{
	uint16_t carry = 0;

	for (int i = LAST; i >= 0; i--)
		add16(&carry, &z->mantissa[i], x->mantissa[i], y->mantissa[i]);
	if (carry) {
		z->exponent++;
		carry = 0;
		shift_right(&carry, z->mantissa);
		z->mantissa[0] |= TOP_BIT;
		z->type = NORMAL;
	} else if (z->mantissa[0] & TOP_BIT) {
		z->type = NORMAL;
	}
}

static void subtract_magnitudes(enum operation op, const struct number *x, const struct number *y,
	struct number *z)
{
	uint16_t borrow = 0;

	for (int i = LAST; i >= 0; i--)
		sub16(&borrow, &z->mantissa[i], x->mantissa[i], y->mantissa[i]);
	if (borrow) {
		z->sign = (uint8_t)(y->sign ^ op);
		borrow = 0;
		for (int i = LAST; i >= 0; i--)
			sub16(&borrow, &z->mantissa[i], 0, z->mantissa[i]);
	}
	if (is_zero(z->mantissa)) {
		z->type = ZERO;
		z->sign = 0;
	} else if (x->type == NORMAL || y->type == NORMAL) {
		normalise(z);
	}
}

static void add_finite(enum operation op, const struct number *x, const struct number *y,
	struct number *z)
{
	struct number lx = *x, ly = *y;
	const int d = lx.exponent - ly.exponent;

	if (d == 0) {
		z->type = lx.type == SUBNORMAL || ly.type == SUBNORMAL ? SUBNORMAL : NORMAL;
		z->sign = lx.sign;
		z->exponent = lx.exponent;
	} else if (d > 0) {
		shift_right_sticky(&ly, d);
		z->type = lx.type;
		z->sign = lx.sign;
		z->exponent = lx.exponent;
	} else {
		shift_right_sticky(&lx, -d);
		z->type = ly.type;
		z->sign = (uint8_t)(ly.sign ^ op);
		z->exponent = ly.exponent;
	}
	if (lx.sign ^ ly.sign ^ (int)op)
		subtract_magnitudes(op, &lx, &ly, z);
	else
		add_magnitudes(&lx, &ly, z);
}

#define PAIR(x_type, y_type) (TYPES * (x_type) + (y_type))

static void add_or_subtract(enum operation op, const struct number *x, const struct number *y,
	struct number *z)
{
	switch (PAIR(x->type, y->type)) {
	case PAIR(SUBNORMAL, SUBNORMAL): case PAIR(SUBNORMAL, NORMAL):
	case PAIR(NORMAL, SUBNORMAL): case PAIR(NORMAL, NORMAL):
		add_finite(op, x, y, z);
		break;
	case PAIR(ZERO, ZERO):
		*z = *x;
		if (x->sign ^ y->sign ^ (int)op)
			z->sign = 0;
		break;
	case PAIR(ZERO, SUBNORMAL): case PAIR(ZERO, NORMAL): case PAIR(ZERO, INFINITE):
	case PAIR(SUBNORMAL, INFINITE): case PAIR(NORMAL, INFINITE):
		*z = *y;
		z->sign = (uint8_t)(y->sign ^ op);
		break;
	case PAIR(SUBNORMAL, ZERO): case PAIR(NORMAL, ZERO): case PAIR(INFINITE, ZERO):
	case PAIR(INFINITE, SUBNORMAL): case PAIR(INFINITE, NORMAL):
		*z = *x;
		break;
	case PAIR(INFINITE, INFINITE):
		set_special(z, NOT_A_NUMBER, 1);
		break;
	default:
		larger_nan(x, y, z);
	}
	round_off(z);
}

static void multiply_finite(const struct number *x, const struct number *y, struct number *z)
{
	struct number ly = *y;
	uint16_t extra[LIMBS] = { 0 }, carry;

	if (is_zero(x->mantissa) || is_zero(ly.mantissa)) {
		set_special(z, ZERO, x->sign ^ ly.sign);
		return;
	}
	z->type = x->type == SUBNORMAL || ly.type == SUBNORMAL ? SUBNORMAL : NORMAL;
	z->sign = x->sign ^ ly.sign;
	z->exponent = (int16_t)(x->exponent + ly.exponent);
	memset(z->mantissa, 0, sizeof z->mantissa);
	for (int bit = 0; bit < MANTISSA_BITS; bit++) {
		carry = 0;
		shift_right(&carry, ly.mantissa);
		if (carry) {
			carry = 0;
			for (int i = LAST; i >= 0; i--)
				add16(&carry, &z->mantissa[i], z->mantissa[i], x->mantissa[i]);
		} else {
			carry = 0;
		}
		shift_right(&carry, z->mantissa);
		shift_right(&carry, extra);
	}
	while (!(z->mantissa[0] & TOP_BIT)) {
		TALLY(PRODUCT_SHIFTS, 1);
		carry = 0;
		shift_left(&carry, extra);
		shift_left(&carry, z->mantissa);
		z->exponent--;
	}
	/* The condition is the wrong way round; the chopping removes its effect. */
	if (is_zero(extra))
		z->mantissa[LAST] |= 1;
}

static void multiply(const struct number *x, const struct number *y, struct number *z)
{
	switch (PAIR(x->type, y->type)) {
	case PAIR(SUBNORMAL, SUBNORMAL): case PAIR(SUBNORMAL, NORMAL):
	case PAIR(NORMAL, SUBNORMAL): case PAIR(NORMAL, NORMAL):
		multiply_finite(x, y, z);
		break;
	case PAIR(ZERO, ZERO): case PAIR(ZERO, SUBNORMAL): case PAIR(ZERO, NORMAL):
	case PAIR(SUBNORMAL, ZERO): case PAIR(NORMAL, ZERO):
		set_special(z, ZERO, x->sign ^ y->sign);
		break;
	case PAIR(INFINITE, INFINITE): case PAIR(INFINITE, SUBNORMAL): case PAIR(INFINITE, NORMAL):
	case PAIR(SUBNORMAL, INFINITE): case PAIR(NORMAL, INFINITE):
		set_special(z, INFINITE, x->sign ^ y->sign);
		break;
	case PAIR(ZERO, INFINITE): case PAIR(INFINITE, ZERO):
		set_special(z, NOT_A_NUMBER, 1);
		break;
	default:
		larger_nan(x, y, z);
	}
	round_off(z);
}

static void divide_finite(const struct number *x, const struct number *y, struct number *z)
{
	struct number lx = *x;
	uint16_t extra[LIMBS] = { 0 }, carry;

	if (is_zero(lx.mantissa)) {
		set_special(z, is_zero(y->mantissa) ? NOT_A_NUMBER : ZERO, lx.sign ^ y->sign);
		return;
	}
	if (is_zero(y->mantissa)) {
		set_special(z, INFINITE, lx.sign ^ y->sign);
		return;
	}
	z->type = lx.type;
	z->sign = lx.sign ^ y->sign;
	z->exponent = (int16_t)(lx.exponent - y->exponent + 2 * MANTISSA_BITS);
	memset(z->mantissa, 0, sizeof z->mantissa);
	while (!(z->mantissa[0] & TOP_BIT)) {
		TALLY(DIVISION_ROUNDS, 1);
		carry = 0;
		shift_left(&carry, lx.mantissa);
		shift_left(&carry, extra);
		if (carry || !exceeds(y->mantissa, extra)) {
			TALLY(DIVISION_SUBTRACTIONS, 1);
			carry = 0;
			for (int i = LAST; i >= 0; i--)
				sub16(&carry, &extra[i], extra[i], y->mantissa[i]);
			carry = 1;
		}
		shift_left(&carry, z->mantissa);
		z->exponent--;
	}
}

static void divide(const struct number *x, const struct number *y, struct number *z)
{
	switch (PAIR(x->type, y->type)) {
	case PAIR(SUBNORMAL, SUBNORMAL): case PAIR(SUBNORMAL, NORMAL):
	case PAIR(NORMAL, SUBNORMAL): case PAIR(NORMAL, NORMAL):
		divide_finite(x, y, z);
		break;
	case PAIR(ZERO, ZERO): case PAIR(INFINITE, INFINITE):
		set_special(z, NOT_A_NUMBER, 1);
		break;
	case PAIR(ZERO, SUBNORMAL): case PAIR(ZERO, NORMAL): case PAIR(ZERO, INFINITE):
	case PAIR(SUBNORMAL, INFINITE): case PAIR(NORMAL, INFINITE):
		set_special(z, ZERO, x->sign ^ y->sign);
		break;
	case PAIR(SUBNORMAL, ZERO): case PAIR(NORMAL, ZERO): case PAIR(INFINITE, ZERO):
	case PAIR(INFINITE, SUBNORMAL): case PAIR(INFINITE, NORMAL):
		set_special(z, INFINITE, x->sign ^ y->sign);
		break;
	default:
		larger_nan(x, y, z);
	}
	round_off(z);
}

static void fill(struct number *a, struct number *b, uint64_t n)
{
	random_reset();
	for (uint64_t i = 0; i < n; i++) {
		struct number x, y;

		from_int(random_signed(RANGE), &x);
		from_int(random_signed(RANGE) + 1, &y);
		divide(&x, &y, &a[i]);
		from_int(random_signed(RANGE) + 1, &y);
		divide(&x, &y, &b[i]);
	}
}

static void calculate(const struct number *a, const struct number *b, struct number *c, uint64_t n)
{
	static const uint8_t operations[16] = {
		ADD, ADD, ADD, ADD, SUBTRACT, SUBTRACT, SUBTRACT, SUBTRACT,
		MULTIPLY, MULTIPLY, MULTIPLY, MULTIPLY, MULTIPLY, DIVIDE, DIVIDE, DIVIDE,
	};

	for (uint64_t i = 0; i < n; i++) {
		switch (operations[i % 16]) {
		case ADD:
			TALLY(ADDITIONS, 1);
			add_or_subtract(ADD, &a[i], &b[i], &c[i]);
			break;
		case SUBTRACT:
			TALLY(SUBTRACTIONS, 1);
			add_or_subtract(SUBTRACT, &a[i], &b[i], &c[i]);
			break;
		case MULTIPLY:
			TALLY(MULTIPLICATIONS, 1);
			multiply(&a[i], &b[i], &c[i]);
			break;
		case DIVIDE:
			TALLY(DIVISIONS, 1);
			divide(&a[i], &b[i], &c[i]);
			break;
		}
	}
}

int main(int argc, char **argv)
{
	/*
	 * The length is volatile, because a compiler that knew it would produce a different loop.
	 */
	static const volatile uint64_t length = NUMBERS;
	const uint64_t n = length;
	struct number *a, *b, *c;
	struct run r;

	run_begin(&r, argc, argv);
	a = memory_get(NUMBERS * sizeof *a);
	b = memory_get(NUMBERS * sizeof *b);
	c = memory_get(NUMBERS * sizeof *c);
	fill(a, b, n);
	tally_reset();
	calculate(a, b, c, n);
	tally_report(tallies);
	emulation_check(a, b, c);
	while (run_next(&r)) {
		run_start(&r);
		calculate(a, b, c, n);
		run_stop(&r, 1);
	}
	emulation_check(a, b, c);
	run_end(&r);
}
