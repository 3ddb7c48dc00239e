// SPDX-License-Identifier: GPL-2.0-or-later
/* measure.c - see measure.h. */
#include "lbt/x11/measure.h"
#include "lbt/x11/facts.h"
#include "lbt/x11/x11perf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In a share of at least LONG seconds, REPEATS runs of a second or more fit. */
enum { LONG = 3, REPEATS = 3 };
/*
 * A short share is divided into this many parts: x11perf rounds each rate to three digits, an
 * error of up to half a percent, and the mean of several is finer.
 */
enum { PARTS = 4 };
/* Seconds that x11perf needs to start, and for each test beyond the time asked for. */
static const double START_SECONDS = 6, SCALING_SECONDS = 4;
/*
 * A run of TELLING_SECONDS shows how many repetitions fill a share; a shorter one is mostly
 * start-up.
 */
static const double TELLING_SECONDS = 0.020, AIMED_SECONDS = 0.030;
/* x11perf counts in 32 bits in places. */
static const double MOST_OBJECTS = 2e9;
enum { GROWTH = 64 };

static bool is_done(const struct test *t)
{
	return t->missing.text[0] == '\0';
}

/* The label is empty until the first run. */
static bool is_other(const char *label, const char *seen)
{
	return label[0] != '\0' && strcmp(label, seen) != 0;
}

/* Runs one test once. The sum has no lines if x11perf gave no result; then `why` is its reason. */
static struct sum run_one(const struct test *t, struct order order, struct words *why)
{
	const char *words, *output;
	struct sum sum;
	bool strange;

	order.names = &t->name;
	order.tests = 1;
	output = x11perf_run(&order, NULL, NULL, &words);
	sum = output_sum(output, NULL, &strange);
	errno = 0;
	if (strange || (sum.label[0] != '\0' && is_other(t->label, sum.label)))
		bench_fail("x11perf did something else than its test '%.60s': '%.100s'", t->name,
			sum.label);
	if (sum.label[0] != '\0' && sum.lines != order.repeat)
		bench_fail("x11perf printed for its test '%.60s' what is no rate", t->name);
	*why = output_excuse(output);
	if (why->text[0] == '\0')
		*why = output_first_line(words);
	if (why->text[0] == '\0')
		*why = (struct words){ "x11perf has no rate for it on this server" };
	return sum;
}

static void note_missing(struct test *t, struct words why)
{
	t->missing = why;
	channel_say("MISSING|%.60s|%.300s", t->name, why.text);
}

static double most_reps(const struct test *t)
{
	return MOST_OBJECTS / t->per_rep;
}

/* The number at least doubles, so that the search ends. */
static double more_reps(double reps, double seconds)
{
	const double wanted = seconds > 0 ? AIMED_SECONDS / seconds : GROWTH;

	return (double)(long)(reps * (wanted < 2 ? 2 : wanted > GROWTH ? GROWTH : wanted));
}

static void calibrate(struct test *t, const char *display, struct sum sum)
{
	struct order order = { .display = display, .repeat = 1 };
	double reps = 1;

	while (sum.seconds < TELLING_SECONDS && more_reps(reps, sum.seconds) <= most_reps(t)) {
		struct words why;

		reps = more_reps(reps, sum.seconds);
		order.reps = (long)reps;
		sum = run_one(t, order, &why);
		if (sum.lines == 0)
			bench_fail("x11perf printed no rate for '%.60s'", t->name);
	}
	if (sum.seconds <= 0)
		bench_fail("x11perf cannot measure '%.60s': it is too fast", t->name);
	t->rep_seconds = sum.seconds / reps;
}

static void prepare_one(struct test *t, const char *display, double share)
{
	const struct order order = { .display = display, .reps = 1, .repeat = 1, .trial = true };
	struct words why = { "the X server has no extension RENDER: nothing would be drawn" };
	struct sum sum;

	if (facts_lack_render(display, t->name)) {
		note_missing(t, why);
		return;
	}
	sum = run_one(t, order, &why);
	if (sum.lines == 0) {
		note_missing(t, why);
		return;
	}
	memcpy(t->label, sum.label, sizeof t->label);
	t->per_rep = sum.objects;
	if (share < LONG)
		calibrate(t, display, sum);
}

void measure_prepare(struct test *tests, size_t n, const char *display, double share)
{
	for (size_t i = 0; i < n; i++)
		prepare_one(&tests[i], display, share);
}

static void measure_one(struct test *t, const char *display, double share)
{
	const double fitting = share / t->rep_seconds, most = most_reps(t);
	const int parts = fitting < PARTS ? 1 : PARTS;
	const double part = fitting / parts, reps = part < 1 ? 1 : part > most ? most : part;
	const struct order order = { .display = display, .reps = (long)reps, .repeat = parts,
		.expected = reps * parts * t->rep_seconds };
	struct words why;
	const struct sum sum = run_one(t, order, &why);

	if (sum.lines == 0 || sum.seconds <= 0)
		bench_fail("x11perf printed no rate for '%.60s'", t->name);
	t->rate = sum.objects / sum.seconds;
}

static void measure_each(struct bench *b, struct test *tests, size_t n, const char *display,
	double share)
{
	for (size_t i = 0; i < n; i++) {
		if (is_done(&tests[i]))
			measure_one(&tests[i], display, share);
		bench_tick(b, i + 1);
	}
}

static void tick(void *whom, const char *output)
{
	bench_tick(whom, (uint64_t)output_finished_tests(output));
}

static void take_rates(struct test *tests, size_t n, const char *output)
{
	for (size_t i = 0; i < n; i++) {
		bool strange;
		struct sum sum;

		if (!is_done(&tests[i]))
			continue;
		sum = output_sum(output, tests[i].label, &strange);
		errno = 0;
		if (sum.lines != REPEATS || sum.seconds <= 0)
			bench_fail("x11perf printed %d of %d rates for '%.60s'", sum.lines,
				REPEATS, tests[i].name);
		tests[i].rate = sum.objects / sum.seconds;
	}
}

static void measure_together(struct bench *b, struct test *tests, size_t n, const char *display,
	double share)
{
	const char **names = calloc(n, sizeof *names);
	struct order order = { .display = display, .names = names, .repeat = REPEATS };
	double each;

	if (!names)
		bench_fail("no memory for the names");
	for (size_t i = 0; i < n; i++)
		if (is_done(&tests[i]))
			names[order.tests++] = tests[i].name;
	order.seconds = (int)(share / REPEATS);
	each = REPEATS * order.seconds + SCALING_SECONDS;
	order.expected = START_SECONDS + (double)order.tests * each;
	take_rates(tests, n, x11perf_run(&order, tick, b, NULL));
	free(names);
	bench_tick(b, order.tests);
}

void measure(struct bench *b, struct test *tests, size_t n, const char *display, double share)
{
	if (share < LONG)
		measure_each(b, tests, n, display, share);
	else
		measure_together(b, tests, n, display, share);
}
