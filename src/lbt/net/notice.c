// SPDX-License-Identifier: GPL-2.0-or-later
/* notice.c - limits the number of lines in a period; further lines are only counted. */
#include "lbt/net/notice.h"
#include "bench.h"

#include <stdarg.h>
#include <stdio.h>

enum { LINES = 10 };
static const int64_t WINDOW_NS = 10000000000;

void notice(const char *format, ...)
{
	static int64_t begun;
	static int said, left_out;
	const int64_t now = bench_clock();
	va_list values;

	if (begun == 0 || now - begun > WINDOW_NS) {
		if (left_out > 0)
			fprintf(stderr, "net: %d more such lines were left out\n", left_out);
		begun = now;
		said = left_out = 0;
	}
	if (++said > LINES) {
		left_out++;
		return;
	}
	va_start(values, format);
	fputs("net: ", stderr);
	vfprintf(stderr, format, values);
	fputc('\n', stderr);
	va_end(values);
}
