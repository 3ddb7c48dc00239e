// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * inputs - one operation is a pointer movement, which an emitter sends over a line to a relay, and
 * the relay over another line to a receiver: three processes. The emitter does not wait for a
 * movement to arrive before it sends the next; after a session of 1,000 movements it waits until
 * the receiver has them all. inputs/movement.h describes what is sent.
 */
#include "bench.h"
#include "platform/inputs/crew.h"
#include "platform/inputs/movement.h"
#include "platform/inputs/octets.h"
#include "platform/inputs/parts.h"
#include "spread.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char USAGE[] = "SECONDS [pty|sockets|DEV,DEV], or --check and one of these";
static const int64_t SECOND_NS = 1000000000, MS_NS = 1000000;

static int64_t wall_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * SECOND_NS + t.tv_nsec;
}

/*
 * Returns how long the session took, and its answer in `text`. The end date is computed from the
 * monotonic clock, because the wall clock may be set meanwhile.
 */
static int64_t emit_session(int line, uint64_t sent, char text[ANSWER])
{
	const int64_t date = wall_clock(), start = bench_clock();
	struct answer answer = { .start = date / MS_NS, .iterations = SESSION };
	int64_t took;

	for (int i = 0; i < SESSION; i++) {
		struct movement m = movement_number(++sent);
		m.emitted = bench_clock();
		if (!octets_write(line, &m, sizeof m))
			crew_blame("cannot write to the first line");
	}
	took = bench_clock() - start;
	answer.end = (date + took) / MS_NS;
	answer_write(&answer, text);
	if (!octets_write(line, text, strlen(text)))
		crew_blame("cannot write to the first line");
	return took;
}

static void tell(int control, struct order order)
{
	if (!octets_write(control, &order, sizeof order))
		crew_blame("the receiver has gone");
}

static uint64_t hear(int control)
{
	uint64_t received;

	if (!octets_take(control, &received, sizeof received))
		crew_blame("a line has ended in the middle of a session");
	return received;
}

static void measure(struct bench *b, int line, int control)
{
	static struct spread emission;
	uint64_t sent = 0, received;
	char answer[ANSWER];

	bench_start(b);
	octets_look(crew_look);
	do {
		tell(control, (struct order){ RECEIVE, b->start });
		spread_add(&emission, (uint64_t)emit_session(line, sent, answer));
		sent += SESSION;
		received = hear(control);
		errno = 0;
		if (received != sent)
			crew_blame("wrong result: the receiver has counted other movements");
	} while (bench_tick(b, received));
	tell(control, (struct order){ END, b->now });
	crew_finish();
	bench_stop(b);
	/* This prints the last answer, which the receiver has found correct. */
	printf("%s", answer);
	channel_say("FIGURE|emission|%.9f|s", spread_at(&emission, 0.5) / (double)SECOND_NS);
	channel_say("FIGURE|emitted|%" PRIu64, sent);
	channel_say("FIGURE|sessions|%" PRIu64, emission.count);
}

int main(int argc, char **argv)
{
	const bool check = argc == 3 && strcmp(argv[1], "--check") == 0;
	struct bench b;
	int end[ENDS];

	if (check)
		bench_begin_for(&b, argv[0], "1", USAGE);
	else
		bench_begin(&b, argc, argv, USAGE);
	if (argc > 3)
		bench_usage();
	lines_open(argc == 3 ? argv[2] : "pty", end);
	if (check)
		return 0;
	b.unit = "mps";
	measure(&b, end[EMITTER], crew_start(end));
	bench_end(&b);
}
