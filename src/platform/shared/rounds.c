// SPDX-License-Identifier: GPL-2.0-or-later
/* rounds.c - see rounds.h. */
#include "platform/shared/rounds.h"
#include "watch.h"

#include <string.h>

static const double NS = 1e9, MB = 1e6, FIRST_PART = 1.0 / 3;
/*
 * In nanoseconds: STEP is the time between two looks of the harness; passes shorter than SHORT are
 * timed several at once.
 */
static const int64_t STEP = 10000000, SHORT = 10000;

struct direction {
	rounds_pass *pass;
	void *state, *to;
	const void *from;
	size_t room, size, written;
	uint64_t passes, together;	/* so far; between two looks at the clock */
	int64_t now;
	double fastest;			/* nanoseconds of the fastest pass */
};

/*
 * Times one pass, or so many that the clock has moved on and the cost of reading it does not
 * matter.
 */
static void timed(struct direction *d)
{
	const int64_t before = bench_clock();
	uint64_t done = 0;
	double each;

	do {
		for (uint64_t i = 0; i < d->together; i++)
			d->written = d->pass(d->state, d->to, d->room, d->from, d->size);
		done += d->together;
		d->now = bench_clock();
	} while (d->now <= before);
	each = (double)(d->now - before) / (double)done;
	if (d->passes == 0 || each < d->fastest)
		d->fastest = each;
	if (d->now - before < SHORT)
		d->together *= 2;
	d->passes += done;
}

static void until(struct direction *d, int64_t stop)
{
	do
		timed(d);
	while (d->now < stop);
}

static void go_there(struct direction *d, struct bench *b)
{
	do
		until(d, b->stop - b->now < STEP ? b->stop : b->now + STEP);
	while (bench_tick(b, d->passes));
}

/*
 * Returns passes a second. The harness does not see this direction: its result is that of the
 * first.
 */
static double go_back(struct direction *d, double seconds)
{
	const int64_t start = bench_clock();

	until(d, start + (int64_t)(seconds * NS));
	return (double)d->passes / ((double)(d->now - start) / NS);
}

static void check(const struct input *in, const unsigned char *again, size_t size)
{
	size_t same = 0;

	if (size != in->size)
		bench_wrong("of %zu bytes of '%s' %zu have come back", in->size, in->name, size);
	if (memcmp(in->bytes, again, size) == 0)
		return;
	while (in->bytes[same] == again[same])
		same++;
	bench_wrong("byte %zu of '%s' is %d and has come back as %d", same, in->name,
		in->bytes[same], again[same]);
}

static void say_figures(const struct input *in, const struct direction *there,
	const struct direction *back, double rate_back)
{
	const double mb = (double)in->size / MB;

	channel_say("FIGURE|fastest|%.9g", mb / (there->fastest / NS));
	channel_say("FIGURE|decompress|%.9g|MBps", mb * rate_back);
	channel_say("FIGURE|decompress-fastest|%.9g", mb / (back->fastest / NS));
	channel_say("FIGURE|size|%zu", there->written);
	channel_say("FIGURE|input|%zu", in->size);
}

_Noreturn void rounds_measure(const struct rounds *r, const struct input *in, struct bench *b)
{
	unsigned char *const other = input_memory(in, r->room);
	unsigned char *const again = input_memory(in, in->size);
	struct direction there = { .pass = r->there, .state = r->state, .to = other,
		.room = r->room, .from = in->bytes, .size = in->size, .together = 1 };
	struct direction back = { .pass = r->back, .state = r->state, .to = again,
		.room = in->size, .from = other, .together = 1 };
	const double seconds = b->seconds;
	double rate_back;

	b->unit = "MBps";
	b->seconds = seconds * FIRST_PART;
	bench_start(b);
	/* A pass may take half an hour. */
	bench_watch();
	go_there(&there, b);
	back.size = there.written;
	rate_back = go_back(&back, seconds - b->seconds);
	bench_stop(b);
	check(in, again, back.written);
	say_figures(in, &there, &back, rate_back);
	/*
	 * bench_end would print a rate without decimals, but the highest levels reach only a few
	 * MB a second.
	 */
	bench_end_figure(b, (double)b->count * (double)in->size / MB
		/ ((double)(b->now - b->start) / NS));
}
