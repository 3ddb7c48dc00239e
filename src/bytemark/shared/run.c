// SPDX-License-Identifier: GPL-2.0-or-later
/* run.c - see run.h. */
#include "bytemark/shared/run.h"

#include <string.h>
#include <time.h>

static const double NS = 1e9;

void run_begin(struct run *r, int argc, char **argv)
{
	*r = (struct run){ .cpu = argc > 2 };
	bench_begin(&r->b, argc, argv, "SECONDS [cpu]");
	if (argc > 3 || (argc > 2 && strcmp(argv[2], "cpu") != 0))
		bench_usage();
}

static int64_t now(const struct run *r)
{
	struct timespec t;

	if (!r->cpu)
		return bench_clock();
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/*
 * The harness is asked, and told the count, before each iteration, which takes microseconds to
 * seconds.
 */
bool run_next(struct run *r)
{
	if (!r->cpu)
		return bench_next(&r->b);
	if (r->b.start == 0)
		bench_start(&r->b);
	else
		bench_tick(&r->b, r->b.count + 1);
	return (double)r->spent < r->b.seconds * NS;
}

void run_start(struct run *r)
{
	r->started = now(r);
}

void run_stop(struct run *r, double work)
{
	r->spent += now(r) - r->started;
	r->work += work;
}

_Noreturn void run_end(struct run *r)
{
	bench_end_figure(&r->b, r->work / ((double)r->spent / NS));
}
