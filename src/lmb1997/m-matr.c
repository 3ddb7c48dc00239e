// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * m-matr - one unit multiplies two matrices of 512 x 512 numbers with the three loops of the
 * definition, and solves 512 linear equations by Gaussian elimination, with the largest pivot of
 * each column. It uses no blocks and no library: how fast the loops run depends on the compiler
 * and the caches. m-matr.f is the same in Fortran.
 */
#include "bench.h"
#include "lmb1997/shared/common.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { N = 512, LARGEST_WHOLE = 9 };
static const int64_t MULTIPLIER = 16807, MODULUS = 2147483647;
static const double BOUND = 1e-9;

static double a[N][N], b[N][N], product[N][N];
static double equation[N][N], right[N], left[N][N], x[N];

static int64_t next_random(int64_t *random)
{
	return *random = *random * MULTIPLIER % MODULUS;
}

/* Factors are small whole numbers, so that their products and sums are exact in any order. */
static double whole(int64_t *random)
{
	return (double)(next_random(random) % (2 * LARGEST_WHOLE + 1) - LARGEST_WHOLE);
}

static double fraction(int64_t *random)
{
	return (double)next_random(random) / (double)MODULUS - 0.5;
}

static void fill(void)
{
	int64_t random = 1;

	for (int i = 0; i < N; i++) {
		for (int j = 0; j < N; j++) {
			a[i][j] = whole(&random);
			b[i][j] = whole(&random);
			equation[i][j] = fraction(&random);
		}
		right[i] = fraction(&random);
	}
}

static void multiply(void)
{
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < N; j++) {
			double sum = 0;

			for (int k = 0; k < N; k++)
				sum += a[i][k] * b[k][j];
			product[i][j] = sum;
		}
	}
}

static void bring_up_pivot(int k)
{
	double kept;
	int pivot = k;

	for (int i = k + 1; i < N; i++)
		if (fabs(left[i][k]) > fabs(left[pivot][k]))
			pivot = i;
	for (int j = k; j < N; j++) {
		kept = left[k][j];
		left[k][j] = left[pivot][j];
		left[pivot][j] = kept;
	}
	kept = x[k];
	x[k] = x[pivot];
	x[pivot] = kept;
}

static void eliminate(void)
{
	memcpy(left, equation, sizeof(left));
	memcpy(x, right, sizeof(x));
	for (int k = 0; k < N; k++) {
		bring_up_pivot(k);
		for (int i = k + 1; i < N; i++) {
			const double factor = left[i][k] / left[k][k];

			for (int j = k; j < N; j++)
				left[i][j] -= factor * left[k][j];
			x[i] -= factor * x[k];
		}
	}
	for (int i = N - 1; i >= 0; i--) {
		for (int j = i + 1; j < N; j++)
			x[i] -= left[i][j] * x[j];
		x[i] /= left[i][i];
	}
}

static double times(const double *row, const double *vector)
{
	double sum = 0;

	for (int j = 0; j < N; j++)
		sum += row[j] * vector[j];
	return sum;
}

/* A vector times the product must equal the vector times one factor, times the other. */
static void check_product(void)
{
	double vector[N], half[N];
	int64_t random = 2;

	for (int i = 0; i < N; i++)
		vector[i] = whole(&random);
	for (int i = 0; i < N; i++)
		half[i] = times(b[i], vector);
	for (int i = 0; i < N; i++)
		if (!within(times(product[i], vector) - times(a[i], half), 0.5))
			bench_wrong("row %d of the product is not that of the factors", i);
}

static void check_solution(void)
{
	for (int i = 0; i < N; i++) {
		const double error = times(equation[i], x) - right[i];

		if (!within(error, BOUND))
			bench_wrong("equation %d is wrong by %g with the solution found", i, error);
	}
}

int main(int argc, char **argv)
{
	struct bench bench;

	bench_begin(&bench, argc, argv, NULL);
	bench.unit = BENCH_SECONDS;
	fill();
	while (bench_next(&bench)) {
		multiply();
		eliminate();
		/* For the compiler, this reads both results, so that it cannot omit a unit. */
		__asm__ volatile("" : : "r"(product), "r"(x) : "memory");
	}
	bench_stop(&bench);
	check_product();
	check_solution();
	bench_end(&bench);
}
