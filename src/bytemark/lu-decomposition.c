// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lu-decomposition - one iteration solves a system of 101 linear equations in place: Crout's
 * decomposition by columns with partial pivoting, and two substitutions. Products are subtracted
 * one by one from a single sum: this is neither a blocked routine nor one of a library.
 */
#include "bytemark/shared/run.h"

#include <math.h>
#include <string.h>

enum { N = 101, SCRAMBLES = 8 * N, FILLED = 8114, LARGEST = 40373, TOTAL = 222000 };
enum { EXCHANGES, TERMS };

static const char *const tallies[] = { "row exchanges", "terms", NULL };
static const double TINY = 1e-20, SUM = 37.5237627929949;

/* The system to be solved, before and after scrambling. */
struct problem {
	double side[N], diagonal[N];
	double a[N][N], b[N];
};

/* False if a row consists of zeros. */
static bool find_scale(double (*a)[N], int n, double *scale)
{
	for (int i = 0; i < n; i++) {
		double largest = 0.0;

		for (int j = 0; j < n; j++)
			if (fabs(a[i][j]) > largest)
				largest = fabs(a[i][j]);
		if (largest == 0.0)
			return false;
		scale[i] = 1.0 / largest;
	}
	return true;
}

static void exchange(double (*a)[N], int n, int one, int other)
{
	for (int k = 0; k < n; k++) {
		const double kept = a[one][k];

		a[one][k] = a[other][k];
		a[other][k] = kept;
	}
	TALLY(EXCHANGES, 1);
}

/*
 * Leaves both factors in `a`. Returns 0 if there are none, -1 after an odd number of exchanges,
 * else 1.
 */
static int decompose(double (*a)[N], int n, int *index, double *scale)
{
	int parity = 1;

	if (!find_scale(a, n, scale))
		return 0;
	for (int j = 0; j < n; j++) {
		double largest = 0.0;
		int pivot = j;

		for (int i = 0; i < j; i++) {
			double sum = a[i][j];

			for (int k = 0; k < i; k++)
				sum -= a[i][k] * a[k][j];
			a[i][j] = sum;
			TALLY(TERMS, i);
		}
		for (int i = j; i < n; i++) {
			double sum = a[i][j], size;

			for (int k = 0; k < j; k++)
				sum -= a[i][k] * a[k][j];
			a[i][j] = sum;
			size = scale[i] * fabs(sum);
			if (size >= largest) {
				largest = size;
				pivot = i;
			}
			TALLY(TERMS, j);
		}
		if (pivot != j) {
			const double kept = scale[pivot];

			exchange(a, n, pivot, j);
			parity = -parity;
			scale[pivot] = scale[j];
			scale[j] = kept;
		}
		index[j] = pivot;
		if (a[j][j] == 0.0)
			a[j][j] = TINY;
		if (j != n - 1) {
			const double inverse = 1.0 / a[j][j];

			for (int i = j + 1; i < n; i++)
				a[i][j] *= inverse;
		}
	}
	return parity;
}

static void substitute(double (*a)[N], int n, const int *index, double *b)
{
	int first = -1;	/* index of the first that is not 0 */

	for (int i = 0; i < n; i++) {
		const int from = index[i];
		double sum = b[from];

		b[from] = b[i];
		if (first != -1)
			for (int j = first; j < i; j++)
				sum -= a[i][j] * b[j];
		else if (sum != 0.0)
			first = i;
		b[i] = sum;
	}
	for (int i = n - 1; i >= 0; i--) {
		double sum = b[i];

		for (int j = i + 1; j < n; j++)
			sum -= a[i][j] * b[j];
		b[i] = sum / a[i][i];
	}
}

/* Returns the parity of the exchanges, or 0 if there is no solution. */
static int solve(double (*a)[N], int n, double *b, double *scale)
{
	int index[N];
	const int parity = decompose(a, n, index, scale);

	if (parity != 0)
		substitute(a, n, index, b);
	return parity;
}

static __attribute__((noinline)) int iterate(double (*a)[N], double *b, double *scale)
{
	return solve(a, N, b, scale);
}

static void build(struct problem *p)
{
	random_reset();
	for (int i = 0; i < N; i++) {
		p->side[i] = p->b[i] = random_below(100) + 1;
		p->diagonal[i] = p->a[i][i] = random_below(1000) + 1;
	}
	for (int times = 0; times < SCRAMBLES; times++) {
		const int k = random_below(N), l = random_below(N);
		const double factor = k < l ? 1.0 : -1.0;

		if (k == l)
			continue;
		for (int j = 0; j < N; j++)
			p->a[k][j] += factor * p->a[l][j];
		p->b[k] += factor * p->b[l];
	}
}

static void load(const struct problem *p, double (*a)[N], double *b)
{
	memcpy(a, p->a, sizeof p->a);
	memcpy(b, p->b, sizeof p->b);
}

static void check_problem(const struct problem *p)
{
	double total = 0.0, largest = 0.0;
	int filled = 0;

	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			total += p->a[i][j];
			filled += p->a[i][j] != 0.0;
			if (fabs(p->a[i][j]) > largest)
				largest = fabs(p->a[i][j]);
		}
	if (filled != FILLED || largest != LARGEST || total != TOTAL)
		bench_wrong("the system has %d elements up to %g, sum %g, not %d up to %d, sum %d",
			filled, largest, total, FILLED, LARGEST, TOTAL);
}

/*
 * Both factors are in `a`, and the solution is `x`. Scrambling does not change the determinant,
 * which is positive, like that of the diagonal.
 */
static __attribute__((noinline)) void check(const struct problem *p, double (*a)[N],
	const double *x, int parity)
{
	double sum = 0.0;
	int sign = parity;

	check_problem(p);
	if (parity == 0)
		bench_wrong("a row of the system is empty");
	for (int i = 0; i < N; i++) {
		const double known = p->side[i] / p->diagonal[i];
		double rest = p->b[i];

		if (!(fabs(x[i] - known) <= (fabs(x[i]) > 1.0 ? 1e-8 * fabs(x[i]) : 1e-8)))
			bench_wrong("x[%d] is %.13g, not %.13g", i, x[i], known);
		for (int j = 0; j < N; j++)
			rest -= p->a[i][j] * x[j];
		if (!(fabs(rest) <= 1e-8 * LARGEST))
			bench_wrong("equation %d is missed by %g", i, rest);
		sum += x[i];
		sign = a[i][i] < 0.0 ? -sign : sign;
	}
	if (sign != 1)
		bench_wrong("the sign of the determinant is %d, not 1", sign);
	if (!(fabs(sum - SUM) <= 1e-7))
		bench_wrong("the sum of x is %.13g, not %.13g", sum, SUM);
}

int main(int argc, char **argv)
{
	static struct problem p;
	struct run r;
	double (*a)[N], *b, *scale;
	int parity;

	run_begin(&r, argc, argv);
	a = memory_get(N * sizeof *a);
	b = memory_get(N * sizeof *b);
	scale = memory_get(N * sizeof *scale);
	build(&p);
	load(&p, a, b);
	parity = iterate(a, b, scale);
	tally_report(tallies);
	check(&p, a, b, parity);
	while (run_next(&r)) {
		load(&p, a, b);
		run_start(&r);
		parity = iterate(a, b, scale);
		run_stop(&r, 1);
	}
	check(&p, a, b, parity);
	run_end(&r);
}
