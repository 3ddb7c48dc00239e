// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * transfer - one pass, whatever SECONDS says: FILES files of BYTES bytes are written to one
 * directory, MEDIUM, read into memory, copied to another one, DEPOT, and read back from there. The
 * result is the rate of copying in MB/s; the other rates are figures. Written files are synced one
 * by one. Before files are read they are dropped from the page cache; cold-read, cold-copy and
 * cold-back are the shares that were really gone, since file systems in memory drop nothing.
 *
 * Opening, moving bytes, syncing and closing are timed. Handling directories, comparing with what
 * was written, and removing are not.
 */
#include "bench.h"
#include "platform/transfer/place.h"
#include "platform/transfer/step.h"
#include "watch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS = 6, MOST_FILES = 10000 };
static const uint64_t MOST_BYTES = 1000000000000;
static const double MB = 1e6;

enum { READ, COPY, BACK, COLD };

struct outcome {
	double write, read, copy, back;	/* seconds */
	double cold[COLD];
};

/* BYTES may exceed a long of 32 bits. */
static uint64_t bytes_from(const char *text)
{
	char *end;
	uintmax_t value;

	errno = 0;
	value = strtoumax(text, &end, 10);
	if (errno == 0 && *text >= '0' && *text <= '9' && *end == '\0' && value >= 1 &&
			value <= MOST_BYTES)
		return (uint64_t)value;
	fprintf(stderr, "transfer: BYTES is '%s', allowed are 1 to %" PRIu64 "\n", text,
		MOST_BYTES);
	bench_usage();
}

static struct outcome all_steps(const struct job *j)
{
	struct outcome o;

	o.write = step_write(j);
	o.cold[READ] = step_forget(j, MEDIUM);
	o.read = step_read(j, MEDIUM, "reading");
	o.cold[COPY] = step_forget(j, MEDIUM);
	o.copy = step_copy(j);
	o.cold[BACK] = step_forget(j, DEPOT);
	o.back = step_read(j, DEPOT, "reading back");
	return o;
}

static void say_outcome(const struct outcome *o, double bytes)
{
	static const char *const names[COLD] = { "cold-read", "cold-copy", "cold-back" };

	channel_say("FIGURE|write|%.9g|MBps", bytes / MB / o->write);
	channel_say("FIGURE|read|%.9g|MBps", bytes / MB / o->read);
	channel_say("FIGURE|back|%.9g|MBps", bytes / MB / o->back);
	for (int i = 0; i < COLD; i++)
		if (o->cold[i] >= 0)
			channel_say("FIGURE|%s|%.6g", names[i], o->cold[i]);
}

int main(int argc, char **argv)
{
	struct job j = { 0 };
	struct outcome o;
	struct bench b;
	double bytes;

	bench_begin(&b, argc, argv, "SECONDS BYTES FILES MEDIUM DEPOT");
	if (argc != ARGUMENTS)
		bench_usage();
	b.unit = "MBps";
	j.bytes = bytes_from(argv[2]);
	j.files = (int)bench_number(argv[3], "FILES", 1, MOST_FILES);
	places_open(argv[4], argv[5]);
	places_need_room(j.bytes, j.files);
	contents_make(&j.contents, j.bytes, j.files);
	step_prepare(&j);
	bytes = (double)j.bytes * j.files;

	bench_start(&b);
	/* A network file system may block a call for long. */
	bench_watch();
	places_make();
	o = all_steps(&j);
	bench_stop(&b);
	places_remove();
	bench_tick(&b, (uint64_t)bytes);
	say_outcome(&o, bytes);
	bench_end_figure(&b, bytes / MB / o.copy);
}
