// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * m-deriv - one unit finds the derivatives of sin, exp, log and a rational function at 200,000
 * points from differences: ten central ones, each half as wide as the one before, and Richardson's
 * extrapolation from them. It is the mathematical library and divisions; the exact derivative,
 * which is compared at every point, is a small part of it. m-deriv.f is the same in Fortran.
 */
#include "bench.h"
#include "lmb1997/shared/within.h"

#include <math.h>
#include <stddef.h>

enum { POINTS = 200000, DIFFERENCES = 10 };
static const double FIRST_POINT = 1, STEP = 1e-5, WIDEST = 0.5, BOUND = 1e-9;

/* It may be another at every look, so that no derivative is known before it is made. */
static volatile double first;

static double reciprocal(double x)
{
	return 1 / x;
}

static double rational(double x)
{
	return (x * x * x - 2 * x + 5) / (x * x + 1);
}

static double rational_derivative(double x)
{
	const double above = x * x * x - 2 * x + 5, below = x * x + 1;

	return ((3 * x * x - 2) * below - above * 2 * x) / (below * below);
}

/* The differences from the last to the first are a row of the scheme: d[0] is its best value. */
static double derivative(double (*f)(double), double x)
{
	double d[DIFFERENCES], h = WIDEST;

	for (int i = 0; i < DIFFERENCES; i++) {
		double power = 4;

		d[i] = (f(x + h) - f(x - h)) / (2 * h);
		for (int j = i; j > 0; j--) {
			d[j - 1] = d[j] + (d[j] - d[j - 1]) / (power - 1);
			power *= 4;
		}
		h /= 2;
	}
	return d[0];
}

static void differentiate(const char *name, double (*f)(double), double (*exact)(double))
{
	const double from = first;
	double largest = 0, total = 0;

	for (int i = 0; i < POINTS; i++) {
		const double x = from + i * STEP, error = fabs(derivative(f, x) - exact(x));

		if (error > largest)
			largest = error;
		total += error;
	}
	/* One that is not a number may have been passed over as the largest, but not in a sum. */
	if (!within(largest, BOUND) || !within(total, BOUND * POINTS))
		bench_wrong("a derivative of %s is wrong by %g", name, largest);
}

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, argc, argv, NULL);
	b.unit = BENCH_SECONDS;
	first = FIRST_POINT;
	while (bench_next(&b)) {
		differentiate("sin", sin, cos);
		differentiate("exp", exp, exp);
		differentiate("log", log, reciprocal);
		differentiate("a rational function", rational, rational_derivative);
	}
	bench_end(&b);
}
