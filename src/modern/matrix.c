// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * matrix - one operation multiplies two matrices of 192 x 192 floats, which stay in the second
 * cache, with the widest vectors that the compiler has for this processor. The figure is millions
 * of additions and multiplications a second. A processor that lowers its clock for wide vectors
 * shows that here. Vectors wider than 128 bits are for x86: SVE is not used.
 *
 *	FIGURE|width|8|each	floats in a vector
 */
#include "bench.h"
#include "mix.h"

#include <string.h>

#if defined(__AVX512F__)
enum { BYTES = 64 };
#elif defined(__AVX__)
enum { BYTES = 32 };
#else
enum { BYTES = 16 };
#endif
/* clang would halve the longest vectors otherwise. */
#if defined(__clang__) && defined(__x86_64__)
#define WHOLE __attribute__((min_vector_width(BYTES * 8)))
#else
#define WHOLE
#endif

typedef float vector __attribute__((vector_size(BYTES)));

/*
 * A block of ROWS x BLOCK vectors of the product is worked out at a time, and fits into registers.
 * Rows of vectors are 64 bytes longer than needed: a column of such rows is spread over all sets
 * of a cache.
 */
enum { N = 192, WIDTH = BYTES / sizeof(float), VECTORS = N / WIDTH, ROWS = 6, BLOCK = 2 };
enum { LONG_ROW = VECTORS + 64 / BYTES, SEED = 5 };
static const double TOLERANCE = 1e-4;

struct matrices {
	vector b[N][LONG_ROW], c[N][LONG_ROW];
	float a[N][N];
};

/* A number from -1 to 1. */
static float element(uint64_t *random)
{
	return (float)(int32_t)(mix_next(random) >> 40) / (1 << 23) - 1;
}

static void fill(struct matrices *m, uint64_t *random)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			m->a[i][j] = element(random);
			m->b[i][j / WIDTH][j % WIDTH] = element(random);
		}
}

/* The pointers are to the first row and column of the block. */
WHOLE static void multiply_block(const float *a, const vector *b, vector *c)
{
	vector sum[ROWS][BLOCK];

	memset(sum, 0, sizeof sum);
	for (int k = 0; k < N; k++)
		for (int i = 0; i < ROWS; i++)
			for (int j = 0; j < BLOCK; j++)
				sum[i][j] += a[i * N + k] * b[k * LONG_ROW + j];
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < BLOCK; j++)
			c[i * LONG_ROW + j] = sum[i][j];
}

/* The columns are in the outer loop, so that those of B stay in the first cache. */
static void multiply(struct matrices *m)
{
	for (int column = 0; column < VECTORS; column += BLOCK)
		for (int row = 0; row < N; row += ROWS)
			multiply_block(m->a[row], &m->b[0][column], &m->c[row][column]);
}

/* Writes M x to `y`. */
static void apply(const vector *matrix, const double x[N], double y[N])
{
	for (int i = 0; i < N; i++) {
		y[i] = 0;
		for (int j = 0; j < N; j++)
			y[i] += (double)matrix[i * LONG_ROW + j / WIDTH][j % WIDTH] * x[j];
	}
}

/*
 * Freivalds: C x must be A (B x) for a vector x of random signs, which takes two multiplications
 * less.
 */
static void prove(const struct matrices *m, uint64_t *random)
{
	double x[N], bx[N], cx[N], wrong = 0, all = 0;

	for (int i = 0; i < N; i++)
		x[i] = mix_next(random) >> 63 ? 1 : -1;
	apply(m->b[0], x, bx);
	apply(m->c[0], x, cx);
	for (int i = 0; i < N; i++) {
		double abx = 0;

		for (int j = 0; j < N; j++)
			abx += (double)m->a[i][j] * bx[j];
		wrong += (cx[i] - abx) * (cx[i] - abx);
		all += abx * abx;
	}
	if (!(wrong <= TOLERANCE * TOLERANCE * all))
		bench_wrong("the product differs from A (B x) by %g of it squared", wrong / all);
}

int main(int argc, char **argv)
{
	static struct matrices m;
	uint64_t random = SEED;
	struct bench b;

	bench_begin(&b, argc, argv, NULL);
	fill(&m, &random);
	multiply(&m);
	b.unit = "MFLOPS";
	b.timebase = 0;
	b.amount = 2.0 * N * N * N / 1e6;
	/* An element changes each time, so that no product is one that is known already. */
	for (unsigned i = 0; bench_next(&b); i = (i + 1) % (N * N)) {
		m.a[i % N][i / N] = -m.a[i % N][i / N];
		multiply(&m);
	}
	prove(&m, &random);
	channel_say("FIGURE|width|%d|each", (int)WIDTH);
	bench_end(&b);
}
