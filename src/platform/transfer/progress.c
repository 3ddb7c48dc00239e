// SPDX-License-Identifier: GPL-2.0-or-later
/* progress.c - see progress.h. */
#include "platform/transfer/progress.h"
#include "bench.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const int64_t SECOND = 1000000000;

/*
 * True for Run, and for a terminal or a pipe. A log has no reader that waits; and if its disk is
 * full, writing a line would end the program before its files are removed.
 */
static bool somebody_waits(void)
{
	struct stat facts;

	if (getenv("TS_RESULT") || isatty(STDERR_FILENO))
		return true;
	return fstat(STDERR_FILENO, &facts) == 0 && S_ISFIFO(facts.st_mode);
}

void progress_look(const struct progress *p, int number, uint64_t done)
{
	static int64_t last;
	const int64_t now = bench_clock();
	double share;

	if (now - last < SECOND || !somebody_waits())
		return;
	last = now;
	share = ((double)number + (double)done / (double)p->bytes) / p->files;
	channel_say("NOW|%s %d of %d, %.0f %%", p->doing, number + 1, p->files, 100 * share);
}
