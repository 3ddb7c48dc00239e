// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * m-moncar - one unit draws 20 million numbers from rand() of the C library: 5 million points for
 * pi and their mean distance from the corner (two draws and a square root each), 5 million values
 * of exp and 5 million of sin for their integrals. This measures the C library: its generator,
 * whether good or bad, and its functions.
 */
#include "bench.h"
#include "lmb1997/shared/common.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

enum { SAMPLES = 5000000, ERRORS = 8 };

/*
 * The known answers, each with the standard deviation of one sample. For pi that is 4 sqrt(p(1 -
 * p)) with p = pi/4; the others are computed from the integrals of the squares.
 */
static const double DISTANCE = 0.765195716464213, DISTANCE_DEVIATION = 0.2849;
static const double PI = 3.14159265358979, PI_DEVIATION = 1.6422;
static const double EXP = 1.71828182845905, EXP_DEVIATION = 0.4920;
static const double SIN = 2, SIN_DEVIATION = 0.9669;

/* Returns a number from 0 to 1. */
static double draw(void)
{
	return (double)rand() / RAND_MAX;
}

/* The distances are summed so that each needs its square root; comparing with 1 would not. */
static long points_in_circle(double *distance)
{
	double sum = 0;
	long inside = 0;

	for (int i = 0; i < SAMPLES; i++) {
		const double x = draw(), y = draw(), far = sqrt(x * x + y * y);

		if (far <= 1)
			inside++;
		sum += far;
	}
	*distance = sum / SAMPLES;
	return inside;
}

/* The integral is from 0 to 1. */
static double integral_of_exp(void)
{
	double sum = 0;

	for (int i = 0; i < SAMPLES; i++)
		sum += exp(draw());
	return sum / SAMPLES;
}

/* The integral is from 0 to pi. */
static double integral_of_sin(void)
{
	double sum = 0;

	for (int i = 0; i < SAMPLES; i++)
		sum += sin(draw() * PI);
	return sum / SAMPLES * PI;
}

/* The bound is eight standard errors, which a correct generator never exceeds in practice. */
static void check(const char *what, double found, double right, double deviation)
{
	if (!within(found - right, ERRORS * deviation / sqrt(SAMPLES)))
		bench_wrong("%s is %.5f, not %.5f", what, found, right);
}

int main(int argc, char **argv)
{
	struct bench b;
	long known = 0;

	bench_begin(&b, argc, argv, NULL);
	b.unit = BENCH_SECONDS;
	while (bench_next(&b)) {
		double distance;
		long inside;

		srand(1);
		inside = points_in_circle(&distance);
		check("the mean distance", distance, DISTANCE, DISTANCE_DEVIATION);
		check("pi", 4.0 * (double)inside / SAMPLES, PI, PI_DEVIATION);
		check("the integral of exp", integral_of_exp(), EXP, EXP_DEVIATION);
		check("the integral of sin", integral_of_sin(), SIN, SIN_DEVIATION);
		if (known != 0 && inside != known)
			bench_wrong("%ld points are in the circle, and were %ld before", inside,
				known);
		known = inside;
	}
	bench_end(&b);
}
