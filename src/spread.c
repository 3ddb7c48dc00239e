// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * spread.c - a floating-point number contains its part: the exponent is the power of two, and the
 * first bits of the mantissa are the part within it. Searching for the highest bit takes several
 * times as long.
 */
#include "spread.h"

#include <float.h>
#include <string.h>

_Static_assert(DBL_MANT_DIG == 53 && sizeof(double) == 8, "a double is not binary64");

enum { PART_BITS = 8, SHIFT = DBL_MANT_DIG - 1 - PART_BITS, BIAS = DBL_MAX_EXP - 1 };
static const uint64_t FIRST = (uint64_t)BIAS << PART_BITS;

static uint64_t part_of(uint64_t value)
{
	const double number = value > 0 ? (double)value : 1;
	uint64_t bits;

	memcpy(&bits, &number, sizeof bits);
	return (bits >> SHIFT) - FIRST;
}

/* Returns the least value of a part. */
static double begin_of(uint64_t part)
{
	const uint64_t bits = (part + FIRST) << SHIFT;
	double number;

	memcpy(&number, &bits, sizeof number);
	return number;
}

void spread_add(struct spread *s, uint64_t value)
{
	s->in[part_of(value)]++;
	if (s->count++ == 0 || value < s->least)
		s->least = value;
	if (value > s->greatest)
		s->greatest = value;
}

void spread_join(struct spread *s, const struct spread *other)
{
	if (other->count > 0 && (s->count == 0 || other->least < s->least))
		s->least = other->least;
	if (other->greatest > s->greatest)
		s->greatest = other->greatest;
	s->count += other->count;
	for (int part = 0; part < SPREAD_ALL; part++)
		s->in[part] += other->in[part];
}

/* Assumes that the values of a part are evenly spaced in it. */
static double within(uint64_t part, double share)
{
	const double begin = begin_of(part);

	return begin + share * (begin_of(part + 1) - begin);
}

double spread_at(const struct spread *s, double share)
{
	const double wanted = share * (double)s->count;
	double value = 0;
	uint64_t before = 0;

	for (uint64_t part = 0; part < SPREAD_ALL && (double)before < wanted; part++) {
		const double inside = wanted - (double)before;
		if (s->in[part] == 0)
			continue;
		before += s->in[part];
		value = within(part, inside / (double)s->in[part]);
	}
	if (value > (double)s->greatest)
		value = (double)s->greatest;
	return value < (double)s->least ? (double)s->least : value;
}
