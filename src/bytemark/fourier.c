// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fourier - one iteration computes the first 199 Fourier coefficients of (x+1)^x on [0, 2], each
 * by its own trapezoid rule. This measures the library's pow, sin and cos: no power is reused for
 * the next coefficient, and no sine comes with its cosine. The rule omits its last inner point, as
 * the suite's original does, so the known answers are those of 198 points.
 */
#include "bytemark/shared/run.h"

#include <math.h>

enum { COEFFICIENTS = 100, STEPS = 200 };
enum kind { PLAIN, COSINE, SINE };
enum { EVALUATIONS, INTEGRALS };

static const char *const tallies[] = { "evaluations", "integrals", NULL };
static const double FREQUENCY = 3.1415926535897932;

/* Returns the function times the wave of this kind. */
static double value(double x, double frequency, enum kind kind)
{
	TALLY(EVALUATIONS, 1);
	switch (kind) {
	case PLAIN:
		return pow(x + 1.0, x);
	case COSINE:
		return pow(x + 1.0, x) * cos(frequency * x);
	case SINE:
		return pow(x + 1.0, x) * sin(frequency * x);
	}
	return 0.0;
}

static double integral(double from, double to, int steps, double frequency, enum kind kind)
{
	const double step = (to - from) / steps;
	double x = from, sum = value(from, frequency, kind) / 2.0;

	TALLY(INTEGRALS, 1);
	for (int inner = steps - 2; inner > 0; inner--) {
		x += step;
		sum += value(x, frequency, kind);
	}
	return (sum + value(to, frequency, kind) / 2.0) * step;
}

/* b[0] is not written. */
static __attribute__((noinline)) void transform(double *a, double *b, uint64_t n)
{
	a[0] = integral(0.0, 2.0, STEPS, 0.0, PLAIN) / 2.0;
	for (uint64_t i = 1; i < n; i++) {
		a[i] = integral(0.0, 2.0, STEPS, FREQUENCY * (double)i, COSINE);
		b[i] = integral(0.0, 2.0, STEPS, FREQUENCY * (double)i, SINE);
	}
}

static void expect(const char *what, double got, double known, double tolerance)
{
	if (!(fabs(got - known) <= tolerance))
		bench_wrong("%s is %.15g, not %.15g", what, got, known);
}

/* No coefficient can exceed the integral of the function, which is positive everywhere. */
static __attribute__((noinline)) void check(const double *a, const double *b)
{
	double sum_a = a[0], sum_b = 0.0;

	expect("A0", a[0], 2.83777075625888, 1e-9);
	for (int i = 1; i < COEFFICIENTS; i++) {
		if (!(fabs(a[i]) <= 2.0 * a[0] && fabs(b[i]) <= 2.0 * a[0]))
			bench_wrong("A%d is %g, B%d is %g, above %g", i, a[i], i, b[i], 2.0 * a[0]);
		sum_a += a[i];
		sum_b += b[i];
	}
	expect("A1", a[1], 1.04578447309955, 1e-9);
	expect("B1", b[1], -1.87910326185878, 1e-9);
	expect("A2", a[2], 0.27410022422635, 1e-9);
	expect("B2", b[2], -1.15883512340303, 1e-9);
	expect("A99", a[99], 0.0887807947930079, 1e-9);
	expect("B99", b[99], 0.00214925293690578, 1e-9);
	expect("the sum of A", sum_a, 4.95558783487279, 1e-8);
	expect("the sum of B", sum_b, -5.5729209851661, 1e-8);
}

int main(int argc, char **argv)
{
	struct run r;
	double *a, *b;

	run_begin(&r, argc, argv);
	a = memory_get(COEFFICIENTS * sizeof *a);
	b = memory_get(COEFFICIENTS * sizeof *b);
	transform(a, b, COEFFICIENTS);
	tally_report(tallies);
	check(a, b);
	/* The results are cleared, so that the check at the end is of the last iteration. */
	for (int i = 0; i < COEFFICIENTS; i++)
		a[i] = b[i] = 0.0;
	while (run_next(&r)) {
		run_start(&r);
		transform(a, b, COEFFICIENTS);
		run_stop(&r, 2 * COEFFICIENTS - 1);
	}
	check(a, b);
	run_end(&r);
}
