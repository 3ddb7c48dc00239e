// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wakeup - one operation sleeps until the next time of a fixed schedule, 100 to 500 us after the one
 * before, and notes how late it woke. A time that passed while it was late counts too, with its own
 * lateness. The result is p99, what 1 in 100 exceeds. No thread has the priority of a real-time task.
 * LOAD threads compute meanwhile, -1: one for each CPU that it may use, divided among the COPIES.
 */
#include "bench.h"
#include "mix.h"
#include "modern/shared/tail.h"
#include "modern/wakeup/load.h"
#include "modern/wakeup/sleep.h"

#include <inttypes.h>

enum { SHORTEST = 100000, STEPS = 400001, MOST_COPIES = 1000000 };
static const uint64_t SEED = 3;
static const double NS = 1e9;
static struct spread late;

/* Returns the nanoseconds from a time of the schedule to the next. */
static int64_t step(uint64_t *state)
{
	return SHORTEST + (int64_t)(mix_next(state) % STEPS);
}

static void note(int64_t due)
{
	const int64_t now = bench_clock();

	if (now < due)
		bench_wrong("a sleeper woke %" PRId64 " ns early", due - now);
	spread_add(&late, (uint64_t)(now - due));
}

/* A time that has passed is noted as well, and there is no sleep before it. */
static void follow_schedule(struct bench *b)
{
	uint64_t state = SEED;

	for (int64_t due = b->start + step(&state); due < b->stop; due += step(&state)) {
		sleep_until(due);
		note(due);
		(void)bench_tick(b, late.count);
	}
}

/* Every time of the schedule that lay in the window was noted. */
static void prove(const struct bench *b)
{
	uint64_t state = SEED, times = 0;

	for (int64_t due = step(&state); due < b->stop - b->start; due += step(&state))
		times++;
	if (late.count != times)
		bench_wrong("%" PRIu64 " times were noted, of a schedule of %" PRIu64, late.count, times);
	if (times == 0)
		bench_fail("no time of the schedule lies in so short a window");
}

int main(int argc, char **argv)
{
	struct bench b;
	long load, copies;

	bench_begin(&b, argc, argv, "SECONDS LOAD [COPIES]");
	if (argc < 3 || argc > 4)
		bench_usage();
	load = bench_number(argv[2], "LOAD", -1, MOST_LOAD);
	copies = argc > 3 ? bench_number(argv[3], "COPIES", 1, MOST_COPIES) : 1;
	b.unit = BENCH_SECONDS;
	b.unequal = true;
	sleep_be_punctual();
	load_start(load_threads(load, copies));
	bench_start(&b);
	follow_schedule(&b);
	bench_stop(&b);
	load_end();
	prove(&b);
	channel_say("HOW|%s", sleep_how);
	tail_say(&late);
	bench_end_figure(&b, spread_at(&late, 0.99) / NS);
}
