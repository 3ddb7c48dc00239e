// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * m-deriv - one unit finds the derivatives of sin, exp, log and a rational function at 200,000
 * points, from ten central differences, each half as wide as the one before, and Richardson's
 * extrapolation. This measures the mathematical library and divisions; comparing each point with
 * the exact derivative is a small part of it. m-deriv.f is the same in Fortran.
 */
#include "bench.h"
#include "lmb1997/shared/common.h"

#include <math.h>
#include <stddef.h>

enum { POINTS = 200000, DIFFERENCES = 10 };
static const double FIRST_POINT = 1, STEP = 1e-5, WIDEST = 0.5, BOUND = 1e-9;

/* This is volatile so that the compiler cannot compute a derivative in advance. */
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

/* Row i of the extrapolation scheme is d[i] to d[0], and d[0] is its best value. */
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
	/* The search for the largest error may skip a NaN, but a sum cannot. */
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
