// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * idle - a measured program that does no work, for trees that tests build: a pass of it costs nothing and takes a
 * moment, or as long as it was asked for where IDLE_LONG is set.
 */
#include "bench.h"

#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	struct bench b;
	struct timespec pause = { 0, 1000000 };

	bench_begin(&b, argc, argv, NULL);
	bench_start(&b);
	while (nanosleep(&pause, NULL) == 0 && bench_tick(&b, 1000) && getenv("IDLE_LONG"))
		;
	bench_end(&b);
}
