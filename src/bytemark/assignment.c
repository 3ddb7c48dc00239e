// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * assignment - one iteration finds the cheapest assignment of 101 jobs to 101 workers: it reduces
 * the cost matrix in place until there is a 0 for each worker. Scanning the matrix is the work:
 * the positions of zeros are not remembered, and columns are read across rows.
 */
#include "bytemark/shared/run.h"

#include <inttypes.h>
#include <string.h>

enum { N = 101, DEAREST = 5000000, CHEAPEST = 1773239, ZEROS = 187 };
enum { OPEN, ASSIGNED, CROSSED };	/* the mark of a cell */

/* The counters after FEWER count the markings that found 83, 84 ... 101 assignments. */
enum { MARKINGS, ROUNDS, REVISIONS, REPETITIONS, FEWER, FOUND, FEWEST = 83 };
static const char *const tallies[] = { "markings", "rounds", "revisions", "repetitions", "fewer",
	"83", "84", "85", "86", "87", "88", "89", "90", "91", "92", "93", "94", "95", "96", "97",
	"98", "99", "100", "101", NULL };


static void reduce(int64_t (*a)[N])
{
	for (uint16_t i = 0; i < N; i++) {
		int64_t least = INT64_MAX;

		for (uint16_t j = 0; j < N; j++)
			if (a[i][j] < least)
				least = a[i][j];
		for (uint16_t j = 0; j < N; j++)
			a[i][j] -= least;
	}
	for (uint16_t j = 0; j < N; j++) {
		int64_t least = INT64_MAX;

		for (uint16_t i = 0; i < N; i++)
			if (a[i][j] < least)
				least = a[i][j];
		if (least != 0)
			for (uint16_t i = 0; i < N; i++)
				a[i][j] -= least;
	}
}

/*
 * In each row with a single open zero, assigns that zero and crosses out the others in its column.
 */
static uint16_t mark_rows(int64_t (*a)[N], int16_t (*m)[N])
{
	uint16_t made = 0;

	for (uint16_t i = 0; i < N; i++) {
		uint16_t open = 0, at = 0;

		for (uint16_t j = 0; j < N; j++)
			if (a[i][j] == 0)
				if (m[i][j] == OPEN) {
					open++;
					at = j;
				}
		if (open != 1)
			continue;
		made++;
		m[i][at] = ASSIGNED;
		for (uint16_t k = 0; k < N; k++)
			if (k != i && a[k][at] == 0)
				m[k][at] = CROSSED;
	}
	return made;
}

static uint16_t mark_columns(int64_t (*a)[N], int16_t (*m)[N])
{
	uint16_t made = 0;

	for (uint16_t j = 0; j < N; j++) {
		uint16_t open = 0, at = 0;

		for (uint16_t i = 0; i < N; i++)
			if (a[i][j] == 0)
				if (m[i][j] == OPEN) {
					open++;
					at = i;
				}
		if (open != 1)
			continue;
		made++;
		m[at][j] = ASSIGNED;
		for (uint16_t k = 0; k < N; k++)
			if (k != j && a[at][k] == 0)
				m[at][k] = CROSSED;
	}
	return made;
}

/* When each row and column has a choice, assigns the first open zero of each row. */
static uint16_t mark_rest(int64_t (*a)[N], int16_t (*m)[N])
{
	uint16_t made = 0;

	for (uint16_t i = 0; i < N; i++) {
		uint16_t at;

		for (at = 0; at < N; at++)
			if (a[i][at] == 0)
				if (m[i][at] == OPEN)
					break;
		if (at == N)
			continue;
		made++;
		m[i][at] = ASSIGNED;
		for (uint16_t k = 0; k < N; k++)
			if (k != at && a[i][k] == 0)
				m[i][k] = CROSSED;
		for (uint16_t k = 0; k < N; k++)
			if (k != i && a[k][at] == 0)
				m[k][at] = CROSSED;
	}
	return made;
}

static int mark(int64_t (*a)[N], int16_t (*m)[N])
{
	uint16_t total = 0, made;

	memset(m, 0, N * sizeof *m);
	do {
		made = mark_rows(a, m);
		made = (uint16_t)(made + mark_columns(a, m));
		total = (uint16_t)(total + made);
		TALLY(ROUNDS, 1);
	} while (made != 0);
	if (total != N)
		total = (uint16_t)(total + mark_rest(a, m));
	TALLY(MARKINGS, 1);
	TALLY(total < FEWEST ? FEWER : FOUND + total - FEWEST, 1);
	return total;
}

/* Makes a new zero, in a row that can be reached from one without an assignment. */
static void revise(int64_t (*a)[N], int16_t (*m)[N])
{
	int16_t row[N] = { 0 }, column[N] = { 0 };
	int64_t least = INT64_MAX;
	int fresh;

	for (int i = 0; i < N; i++) {
		int j;

		for (j = 0; j < N; j++)
			if (m[i][j] == ASSIGNED)
				break;
		if (j == N)
			row[i] = 1;
	}
	do {
		fresh = 0;
		for (int i = 0; i < N; i++)
			if (row[i] == 1)
				for (int j = 0; j < N; j++)
					if (a[i][j] == 0)
						column[j] = 1;
		for (int j = 0; j < N; j++)
			if (column[j] == 1)
				for (int i = 0; i < N; i++)
					if (m[i][j] == ASSIGNED && row[i] != 1) {
						row[i] = 1;
						fresh++;
					}
		TALLY(REPETITIONS, 1);
	} while (fresh != 0);
	for (int i = 0; i < N; i++)
		if (row[i] == 1)
			for (int j = 0; j < N; j++)
				if (column[j] == 0 && a[i][j] < least)
					least = a[i][j];
	for (int i = 0; i < N; i++)
		if (row[i] == 1)
			for (int j = 0; j < N; j++)
				if (column[j] == 0)
					a[i][j] -= least;
	for (int i = 0; i < N; i++)
		if (row[i] == 0)
			for (int j = 0; j < N; j++)
				if (column[j] == 1)
					a[i][j] += least;
	TALLY(REVISIONS, 1);
}

/* The marks are copied for the check, which takes a ten-thousandth of the time. */
static __attribute__((noinline)) void assign(int64_t (*a)[N], int16_t (*marks)[N])
{
	int16_t m[N][N];

	reduce(a);
	while (mark(a, m) != N)
		revise(a, m);
	memcpy(marks, m, sizeof m);
}

static __attribute__((noinline)) void load(int64_t (*a)[N])
{
	random_reset();
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			a[i][j] = random_below(DEAREST);
}

/* Stores the column of each row, and checks that no other row has it and that its cell is 0. */
static void check_marks(int64_t (*a)[N], int16_t (*marks)[N], unsigned char *columns)
{
	bool taken[N] = { false };

	for (int i = 0; i < N; i++) {
		int assigned = 0;

		for (int j = 0; j < N; j++) {
			if (marks[i][j] != ASSIGNED)
				continue;
			if (taken[j])
				bench_wrong("column %d is assigned twice, again to row %d", j, i);
			if (a[i][j] != 0)
				bench_wrong("a[%d][%d] is %" PRId64 ", not 0", i, j, a[i][j]);
			taken[j] = true;
			columns[i] = (unsigned char)j;
			assigned++;
		}
		if (assigned != 1)
			bench_wrong("row %d has %d assignments, not 1", i, assigned);
	}
}

static void expect_hash(const char *what, uint64_t hash, uint64_t known)
{
	if (hash != known)
		bench_wrong("the hash of the %s is %016" PRIx64 ", not %016" PRIx64, what, hash, known);
}

/*
 * An assignment is the cheapest if no cost in the reduced matrix is negative, each assigned cell
 * is 0, and the reduced matrix differs from the given one only by a number for each row and one
 * for each column.
 */
static __attribute__((noinline)) void check(int64_t (*a)[N], int16_t (*marks)[N])
{
	static int64_t given[N][N];
	unsigned char columns[N];
	int64_t cost = 0;
	int zeros = 0;

	load(given);
	check_marks(a, marks, columns);
	for (int i = 0; i < N; i++) {
		cost += given[i][columns[i]];
		for (int j = 0; j < N; j++) {
			if (a[i][j] < 0)
				bench_wrong("a[%d][%d] is %" PRId64 ", below 0", i, j, a[i][j]);
			if (given[i][j] - a[i][j] != given[i][0] - a[i][0] + given[0][j] - a[0][j] -
					(given[0][0] - a[0][0]))
				bench_wrong("a[%d][%d] is not reduced like its neighbours", i, j);
			zeros += a[i][j] == 0;
		}
	}
	if (cost != CHEAPEST)
		bench_wrong("the cost is %" PRId64 ", not %d", cost, CHEAPEST);
	if (zeros != ZEROS)
		bench_wrong("%d zeros are left, not %d", zeros, ZEROS);
	expect_hash("columns", memory_hash(columns, N), UINT64_C(0x3ae79b581a9fc217));
	if (memory_order_is_known("the hash of the matrix"))
		expect_hash("matrix", memory_hash(a, N * sizeof *a), UINT64_C(0x201a4b8b9266c818));
}

int main(int argc, char **argv)
{
	static int16_t marks[N][N];
	struct run r;
	int64_t (*a)[N];

	run_begin(&r, argc, argv);
	a = memory_get(N * sizeof *a);
	load(a);
	assign(a, marks);
	tally_report(tallies);
	check(a, marks);
	while (run_next(&r)) {
		load(a);
		run_start(&r);
		assign(a, marks);
		run_stop(&r, 1);
	}
	check(a, marks);
	run_end(&r);
}
