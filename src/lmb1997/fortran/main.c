// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * main.c - the main program of every Fortran program, which consists of three subroutines: `begin`
 * sets up, `unit` is one unit of work, `check` proves it. bench.f90 declares the other functions
 * to Fortran.
 */
#include "bench.h"
#include "lmb1997/shared/common.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdio.h>

/* The Fortran program defines these. `kilobytes` is for programs that work on the large array. */
void begin(int64_t kilobytes);
void unit(void);
void check(void);

/* The Fortran program calls these. */
_Noreturn void fortran_wrong(const char *what);
_Noreturn void fortran_fail(const char *what);
/* Ends the program because data that was written is missing. */
_Noreturn void fortran_lost(const char *what);
void fortran_figure(const char *name, int64_t value);
/* Ends a program that was told the size of the large array but has no such array. */
void fortran_no_array(int64_t kilobytes);

static bool argument;

void fortran_wrong(const char *what)
{
	bench_wrong("%s", what);
}

void fortran_fail(const char *what)
{
	bench_fail("%s", what);
}

/* Fortran's library may not report a write that failed; then errno still holds the cause. */
void fortran_lost(const char *what)
{
	static const int CAUSES[] = { ENOSPC, EDQUOT, EFBIG, EIO };

	for (size_t i = 0; i < sizeof CAUSES / sizeof *CAUSES; i++)
		if (errno == CAUSES[i])
			bench_fail("%s", what);
	bench_wrong("%s", what);
}

void fortran_figure(const char *name, int64_t value)
{
	channel_say("FIGURE|%s|%" PRId64, name, value);
}

/*
 * All programs accept KILOBYTES at first, since only the Fortran program knows whether it has an
 * array.
 */
void fortran_no_array(int64_t kilobytes)
{
	if (!argument)
		return;
	fprintf(stderr, "KILOBYTES is %" PRId64 ", but this program has no large array\n", kilobytes);
	bench_usage();
}

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, argc, argv, ARRAY_USAGE);
	b.unit = BENCH_SECONDS;
	argument = argc > 2;
	begin(array_kilobytes(argc, argv));
	while (bench_next(&b))
		unit();
	bench_stop(&b);
	check();
	bench_end(&b);
}
