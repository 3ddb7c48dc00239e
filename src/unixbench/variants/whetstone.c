// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * whetstone - double-precision floating point: eight modules, each a loop that is timed by itself,
 * in the proportions of the programs of the 1960s. An outer pass stands for ten million Whetstone
 * instructions; the result is their rate, MWIPS, not a count. The command line sets N4_INPUT to
 * const or volatile. With const (whetstone-double), compilers delete module 4, as they do in
 * UnixBench; with volatile (whetstone-strict) it is executed. The table on standard output:
 *
 *	N6 procedure calls      0.99999987890767417     1107.153 MFLOPS    3.412 s
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* These are constants because the compiler needs the number of turns of each inner loop. */
enum { MULTIPLIER = 100, FASTER_N1 = 10, ROUNDS_N2 = 6 };
enum { MAX_ROUNDS = 10, GROWTH = 5 };
static const double MILLIONS_A_PASS = 10.0;
static const double CALIBRATION = 0.5, CALIBRATION_SHARE = 1.0 / 20;
static const double CALL = 0.1, CALL_SHARE = 1.0 / 10;
/* No machine can run a module in less than this many seconds: a faster one was deleted. */
static const double DELETED = 3e-6;

static const struct about {
	const char *name, *unit;
	double weight, operations;	/* inner turns / MULTIPLIER; operations in a turn */
	double known, tolerance;	/* the result of one outer pass, and the error allowed */
} about[] = {
	{ "N1 array elements", "MFLOPS", 12, 16, -1.123982556673919, 1e-10 },
	{ "N2 array as parameter", "MFLOPS", 14, 96, -1.1218707988928442, 1e-10 },
	{ "N3 conditional jumps", "MOPS", 345, 3, 1.0, 0 },
	{ "N4 integer arithmetic", "MOPS", 210, 15, 12.0, 0 },
	{ "N5 sin, cos, atan", "MOPS", 32, 26, 0.49902937281518261, 1e-10 },
	{ "N6 procedure calls", "MFLOPS", 899, 6, 0.99999987890802811, 1e-10 },
	{ "N7 array references", "MOPS", 616, 3, 3.0, 0 },
	{ "N8 exp, log, sqrt", "MOPS", 93, 4, 0.75100163018458665, 1e-10 },
};
enum { N1, N2, N3, N4, N5, N6, N7, N8, MODULES };

struct module {
	double seconds, shortest, result;	/* of all calls; of the shortest; of the last */
};

void turn_array(double e[4], double t, double t2);
void turn_values(double *x, double *y, double *z, double t, double t1, double t2);
void turn_references(double e[4], long j, long k, long l);

void turn_array(double e[4], double t, double t2)
{
	for (long i = 0; i < ROUNDS_N2; i++) {
		e[0] = (e[0] + e[1] + e[2] - e[3]) * t;
		e[1] = (e[0] + e[1] - e[2] + e[3]) * t;
		e[2] = (e[0] - e[1] + e[2] + e[3]) * t;
		e[3] = (-e[0] + e[1] + e[2] + e[3]) / t2;
	}
}

void turn_values(double *x, double *y, double *z, double t, double t1, double t2)
{
	*x = *y;
	*y = *z;
	*x = t * (*x + *y);
	*y = t1 * (*x + *y);
	*z = (*x + *y) / t2;
}

void turn_references(double e[4], long j, long k, long l)
{
	e[j] = e[k];
	e[k] = e[l];
	e[l] = e[j];
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void add(struct module *m, double seconds, double result)
{
	m->seconds += seconds;
	if (m->shortest == 0 || seconds < m->shortest)
		m->shortest = seconds;
	m->result = result;
}

static void suite(long passes, struct module m[MODULES])
{
	static N4_INPUT long inputs[3] = { 1, 2, 3 };
	const double t0 = 0.49999975;
	double t = t0, t1 = 0.50000025, t2 = 2.0;
	double e[4], x, y, z, start, end;
	long j, k, l;

	e[0] = 1.0;
	e[1] = e[2] = e[3] = -1.0;
	start = now();
	for (long pass = 0; pass < passes; pass++) {
		for (long i = 0; i < 12 * MULTIPLIER * FASTER_N1; i++) {
			e[0] = (e[0] + e[1] + e[2] - e[3]) * t;
			e[1] = (e[0] + e[1] - e[2] + e[3]) * t;
			e[2] = (e[0] - e[1] + e[2] + e[3]) * t;
			e[3] = (-e[0] + e[1] + e[2] + e[3]) * t;
		}
		t = 1.0 - t;
	}
	t = t0;
	end = now();
	add(&m[N1], (end - start) / FASTER_N1, e[3]);

	start = now();
	for (long pass = 0; pass < passes; pass++) {
		for (long i = 0; i < 14 * MULTIPLIER; i++)
			turn_array(e, t, t2);
		t = 1.0 - t;
	}
	t = t0;
	end = now();
	add(&m[N2], end - start, e[3]);

	j = 1;
	start = now();
	for (long pass = 0; pass < passes; pass++)
		for (long i = 0; i < 345 * MULTIPLIER; i++) {
			if (j == 1)
				j = 2;
			else
				j = 3;
			if (j > 2)
				j = 0;
			else
				j = 1;
			if (j < 1)
				j = 1;
			else
				j = 0;
		}
	end = now();
	add(&m[N3], end - start, (double)j);

	j = inputs[0];
	k = inputs[1];
	l = inputs[2];
	start = now();
	for (long pass = 0; pass < passes; pass++)
		for (long i = 0; i < 210 * MULTIPLIER; i++) {
			j = j * (k - j) * (l - k);
			k = l * k - (l - j) * k;
			l = (l - k) * (k + j);
			e[l - 2] = (double)(j + k + l);
			e[k - 2] = (double)(j * k * l);
		}
	end = now();
	add(&m[N4], end - start, e[0] + e[1]);

	x = y = 0.5;
	start = now();
	for (long pass = 0; pass < passes; pass++) {
		for (long i = 1; i < 32 * MULTIPLIER; i++) {
			x = t * atan(t2 * sin(x) * cos(x) / (cos(x + y) + cos(x - y) - 1.0));
			y = t * atan(t2 * sin(y) * cos(y) / (cos(x + y) + cos(x - y) - 1.0));
		}
		t = 1.0 - t;
	}
	t = t0;
	end = now();
	add(&m[N5], end - start, y);

	x = y = z = 1.0;
	start = now();
	for (long pass = 0; pass < passes; pass++)
		for (long i = 0; i < 899 * MULTIPLIER; i++)
			turn_values(&x, &y, &z, t, t1, t2);
	end = now();
	add(&m[N6], end - start, z);

	j = 0;
	k = 1;
	l = 2;
	e[0] = 1.0;
	e[1] = 2.0;
	e[2] = 3.0;
	start = now();
	for (long pass = 0; pass < passes; pass++)
		for (long i = 0; i < 616 * MULTIPLIER; i++)
			turn_references(e, j, k, l);
	end = now();
	add(&m[N7], end - start, e[2]);

	x = 0.75;
	start = now();
	for (long pass = 0; pass < passes; pass++)
		for (long i = 0; i < 93 * MULTIPLIER; i++)
			x = sqrt(exp(log(x) / t1));
	end = now();
	add(&m[N8], end - start, x);
}

static double total_of(const struct module m[MODULES])
{
	double total = 0;

	for (int i = 0; i < MODULES; i++)
		total += m[i].seconds;
	return total;
}

/*
 * Bits of non-negative numbers have the order of the numbers, with NaN above all. Comparing bits
 * is needed because -ffast-math assumes that there is no NaN.
 */
static uint64_t order(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits & INT64_MAX;
}

/*
 * After one pass all results are known; with more passes the first, second, fifth, sixth and
 * eighth drift.
 */
static void check(const struct module m[MODULES], bool one_pass)
{
	for (int i = 0; i < MODULES; i++) {
		const struct about *a = &about[i];

		if (!one_pass && a->tolerance > 0)
			continue;
		if (order(m[i].result - a->known) > order(a->known * a->tolerance))
			bench_wrong("module %s is %.17g, not %.17g", a->name, m[i].result, a->known);
	}
}

/*
 * Runs the suite with 1, 5, 25, ... passes until it takes long enough, and returns the seconds of
 * one pass. The results of the first run are checked.
 */
static double calibrate(double seconds, struct module first[MODULES])
{
	const double enough = fmin(CALIBRATION, seconds * CALIBRATION_SHARE);
	long passes = 1;

	for (int round = 1;; round++) {
		struct module later[MODULES] = { { 0 } }, *m = round == 1 ? first : later;
		double total;

		suite(passes, m);
		total = total_of(m);
		printf("%ld passes in %.3f s\n", passes, total);
		if (round == 1)
			check(first, true);
		if (total > enough)
			return total / (double)passes;
		if (round == MAX_ROUNDS)
			bench_wrong("%ld passes took only %g s", passes, total);
		passes *= GROWTH;
	}
}

static double sum_of_results(const struct module m[MODULES])
{
	double sum = 0;

	for (int i = 0; i < MODULES; i++)
		sum += m[i].result;
	return sum;
}

static void print_table(double passes, const struct module m[MODULES], const struct module first[MODULES])
{
	printf("Whetstone, double precision, %.0f passes in all\n", passes);
	for (int i = 0; i < MODULES; i++) {
		const struct about *a = &about[i];
		const double operations = a->operations * a->weight * MULTIPLIER * passes;

		printf("%-22s %20.17f ", a->name, first[i].result);
		if (m[i].shortest < DELETED)
			printf("removed by compiler\n");
		else
			printf("%12.3f %-6s %8.3f s\n", operations / m[i].seconds / 1e6, a->unit, m[i].seconds);
	}
}

int main(int argc, char **argv)
{
	struct module first[MODULES] = { { 0 } }, m[MODULES] = { { 0 } };
	struct bench b;
	double one_pass, total, passes, mwips;
	uint64_t calls = 0;
	long a_call;

	bench_begin(&b, argc, argv, NULL);
	b.unit = "MWIPS";
	b.timebase = 0;
	one_pass = calibrate(b.seconds, first);
	/*
	 * Each call takes a tenth of a second, so that a noisy calibration hardly changes how long
	 * is measured, and copies end together.
	 */
	a_call = (long)(fmin(CALL, b.seconds * CALL_SHARE) / one_pass) + 1;
	bench_start(&b);
	do
		suite(a_call, m);
	while (bench_tick(&b, ++calls * (uint64_t)a_call));
	check(m, false);
	passes = (double)a_call * (double)calls;
	total = total_of(m);
	mwips = passes * MILLIONS_A_PASS / total;
	print_table(passes, m, first);
	printf("MWIPS %.3f in %.3f s, sum of the last results %.17g\n", mwips, total, sum_of_results(m));
	bench_end_rate(&b, mwips, total);
}
