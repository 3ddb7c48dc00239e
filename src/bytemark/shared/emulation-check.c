// SPDX-License-Identifier: GPL-2.0-or-later
/* emulation-check.c - see emulation-check.h. */
#include "bytemark/shared/emulation-check.h"

#include "bench.h"
#include "bytemark/shared/run.h"

#include <inttypes.h>
#include <stddef.h>

enum { BYTES = 12 };	/* bytes of a number in the hash */
static const double TOLERANCE = 1e-12;
/* The lowest three bits of the last limb, which the arithmetic clears. */
static const uint16_t CHOPPED = 7;
static const uint64_t HASH_A = UINT64_C(0xeacb15728072fc66);
static const uint64_t HASH_B = UINT64_C(0x57e041dcaaf8b433);
static const uint64_t HASH_C = UINT64_C(0xb3878bc2edf9cd40);

static double value(const struct number *x)
{
	const uint32_t high = (uint32_t)x->mantissa[0] << 16 | x->mantissa[1];
	const uint32_t low = (uint32_t)x->mantissa[2] << 16 | x->mantissa[3];
	double result = (double)((uint64_t)high << 32 | low) / 18446744073709551616.0;

	for (int i = 0; i < x->exponent; i++)
		result *= 2;
	for (int i = 0; i > x->exponent; i--)
		result /= 2;
	return x->sign ? -result : result;
}

static double known_value(int i, double a, double b)
{
	if (i % 16 < 4)
		return a + b;
	if (i % 16 < 8)
		return a - b;
	return i % 16 < 13 ? a * b : a / b;
}

static void check_value(int i, double c, double known)
{
	const double error = c < known ? known - c : c - known;

	if (!(error <= TOLERANCE * (known < 0 ? -known : known)))
		bench_wrong("result %d is %.17g, not %.17g", i, c, known);
}

/* The hash is computed over little-endian bytes on every machine. */
static void check_hash(const char *what, const struct number *x, uint64_t known)
{
	static unsigned char bytes[NUMBERS * BYTES];
	unsigned char *at = bytes;
	uint64_t hash;

	for (const struct number *end = x + NUMBERS; x < end; x++) {
		const uint16_t words[] = {
			(uint16_t)x->exponent, x->mantissa[0], x->mantissa[1], x->mantissa[2],
			x->mantissa[3],
		};

		*at++ = x->type;
		*at++ = x->sign;
		for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
			*at++ = (unsigned char)(words[i] & 0xff);
			*at++ = (unsigned char)(words[i] >> 8);
		}
	}
	hash = memory_hash(bytes, sizeof bytes);
	if (hash != known)
		bench_wrong("the %s have the hash %016" PRIx64 ", not %016" PRIx64, what, hash,
			known);
}

void emulation_check(const struct number *a, const struct number *b, const struct number *c)
{
	check_hash("first operands", a, HASH_A);
	check_hash("second operands", b, HASH_B);
	for (int i = 0; i < NUMBERS; i++) {
		if (c[i].type != NORMAL)
			bench_wrong("result %d has type %d, not %d", i, c[i].type, NORMAL);
		if (c[i].mantissa[LIMBS - 1] & CHOPPED)
			bench_wrong("result %d ends with limb %04x, not with three bits of 0", i,
				(unsigned)c[i].mantissa[LIMBS - 1]);
		check_value(i, value(&c[i]), known_value(i, value(&a[i]), value(&b[i])));
	}
	check_hash("results", c, HASH_C);
}
