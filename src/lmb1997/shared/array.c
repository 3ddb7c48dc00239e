// SPDX-License-Identifier: GPL-2.0-or-later
/* array.c - see array.h. */
#include "lmb1997/shared/array.h"
#include "bench.h"

enum { LEAST = 256, USUAL = 64 * 1024 };

int64_t array_kilobytes(int argc, char **argv)
{
	if (argc > 3)
		bench_usage();
	return argc > 2 ? bench_number(argv[2], "KILOBYTES", LEAST, USUAL) : USUAL;
}
