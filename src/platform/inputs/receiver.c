// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * receiver.c - takes the movements and the answer of each session, checks them, and records how
 * long they took.
 */
#include "platform/inputs/parts.h"
#include "bench.h"
#include "platform/inputs/inflow.h"
#include "platform/inputs/movement.h"
#include "platform/inputs/octets.h"
#include "spread.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS = 60 };
static const double NS = 1e9;
static const int64_t SECOND_NS = 1000000000, MS_NS = 1000000;
/* The last second of a pass gives a rate only if at least this much of it passed. */
static const double LEAST_SECOND = 0.1;

static struct {
	struct inflow line;
	int64_t start;			/* when the pass began */
	uint64_t count;
	int64_t first_emitted, last_emitted;	/* in this session */
	struct spread latency, reception;
	int second;			/* of the pass; the one of the last movement */
	int64_t second_end;
	uint64_t in_second[SECONDS];
} got;

/* For the check once a second: the emitter's process, and how long a movement has been due. */
static struct {
	pid_t emitter;
	bool due;
	uint64_t count;
	int quiet;
} waiting;

static void look_for_movements(void)
{
	if (getppid() != waiting.emitter)
		_exit(LINE_ENDED);
	waiting.quiet = waiting.due && waiting.count == got.count ? waiting.quiet + 1 : 0;
	waiting.count = got.count;
	errno = 0;
	if (waiting.quiet > PATIENCE)
		bench_fail("nothing has arrived for %d seconds: is the other end of the line "
			"connected", PATIENCE);
}

static void take_movement(void)
{
	struct movement m;

	memcpy(&m, inflow_take(&got.line, sizeof m), sizeof m);
	if (!movement_is(&m, ++got.count, got.line.when))
		movement_complain(&m, got.count);
	got.last_emitted = m.emitted;
	spread_add(&got.latency, (uint64_t)(got.line.when - m.emitted));
	/* Comparing is faster than dividing for each movement. */
	for (; got.line.when >= got.second_end; got.second_end += SECOND_NS)
		got.second++;
	if (got.second < SECONDS)
		got.in_second[got.second]++;
}

/*
 * The dates are rounded down to milliseconds. The end must be after the time of the last movement,
 * and before this answer came.
 */
static void check_answer(const struct answer *a)
{
	const int64_t span = (a->end - a->start) * MS_NS;

	if (a->iterations != SESSION)
		bench_wrong("the answer says %d iterations, not %d", a->iterations, SESSION);
	if (a->end < a->start)
		bench_wrong("the answer's end is before its start");
	if (span < got.last_emitted - got.first_emitted - MS_NS
			|| span > got.line.when - got.first_emitted + MS_NS)
		bench_wrong("the answer says %" PRId64 " ms, the movements %" PRId64 " to %" PRId64,
			span / MS_NS, (got.last_emitted - got.first_emitted) / MS_NS,
			(got.line.when - got.first_emitted) / MS_NS);
}

static void take_session(void)
{
	char text[ANSWER];
	struct answer a;
	int64_t first;

	take_movement();
	first = got.line.when;
	got.first_emitted = got.last_emitted;
	for (int i = 1; i < SESSION; i++)
		take_movement();
	spread_add(&got.reception, (uint64_t)(got.line.when - first));
	inflow_take_text(&got.line, text, sizeof text);
	if (!answer_read(&a, text))
		bench_wrong("rubbish came where the answer behind movement %" PRIu64
			" was expected", got.count);
	check_answer(&a);
	if (inflow_has_more(&got.line))
		bench_wrong("something came behind the answer to movement %" PRIu64, got.count);
}

static void say_figures(int64_t end)
{
	const double seconds = (double)(end - got.start) / NS;

	channel_say("FIGURE|reception|%.9f|s", spread_at(&got.reception, 0.5) / NS);
	channel_say("FIGURE|p50|%.9f|s", spread_at(&got.latency, 0.5) / NS);
	channel_say("FIGURE|p99|%.9f|s", spread_at(&got.latency, 0.99) / NS);
	channel_say("FIGURE|p99.9|%.9f|s", spread_at(&got.latency, 0.999) / NS);
	channel_say("FIGURE|max|%.9f|s", (double)got.latency.greatest / NS);
	channel_say("FIGURE|received|%" PRIu64, got.count);
	for (int i = 0; i < SECONDS && seconds - i >= LEAST_SECOND; i++) {
		const double lasted = seconds - i < 1 ? seconds - i : 1;
		channel_say("FIGURE|second-%d|%.1f", i + 1, (double)got.in_second[i] / lasted);
	}
}

_Noreturn void receiver(int line, int control)
{
	struct order order;

	got.line.fd = line;
	waiting.emitter = getppid();
	octets_look(look_for_movements);
	while (octets_take(control, &order, sizeof order)) {
		if (order.what == END) {
			say_figures(order.when);
			_exit(0);
		}
		if (got.count == 0) {
			got.start = order.when;
			got.second_end = order.when + SECOND_NS;
		}
		waiting.due = true;
		take_session();
		waiting.due = false;
		if (!octets_write(control, &got.count, sizeof got.count))
			break;
	}
	_exit(LINE_ENDED);
}
