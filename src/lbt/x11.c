// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * x11 - how fast an X server draws, measured by the program x11perf. The result is the mean of
 * rate / BASE x 1000 over the tests, or without BASEs the geometric mean of the rates; each rate
 * is also a figure of its own. Tests that the server cannot do are left out.
 *
 *	DISPLAY	":0", "host:1.0", or the word xvfb for a private server
 *	NAME	name of a test of x11perf, without the dash
 *	--facts	prints what the server is, or why it cannot be reached
 */
#include "bench.h"
#include "lbt/x11/server.h"
#include "lbt/x11/x11perf.h"
#include "watch.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/*
 * --- the rates of some tests of x11perf.
 *
 * Each test has an equal share of the window. x11perf can find out by itself how many repetitions
 * fill a whole number of seconds, which costs it 6 s at its start and 2 to 4 s for each test. If
 * shares are long, x11perf runs once for all tests and does that. If shares are short, it runs
 * once for each test, with a number of repetitions that was found before the clock started.
 */

struct test {
	const char *name;
	double base;		/* rate that scores 1000, or 0 */
	double rate;		/* per second, once measured */
	struct words missing;	/* why it cannot be done here; empty if it can */
	/* measure_prepare sets these. */
	char label[LABEL];
	double per_rep;		/* objects drawn in one of `-reps` */
	double rep_seconds;
};

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
		bench_fail("x11perf printed for its test '%.60s' something that is not a rate", t->name);
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

/* `share` is in seconds. */
static void measure_prepare(struct test *tests, size_t n, const char *display, double share)
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

static void measure(struct bench *b, struct test *tests, size_t n, const char *display, double share)
{
	if (share < LONG)
		measure_each(b, tests, n, display, share);
	else
		measure_together(b, tests, n, display, share);
}

/* --- the program */

enum { FIRST = 3, NAME_LENGTH = 60, DISPLAY_LENGTH = 60 };

/* x11perf would not take a text with a leading dash or a blank for a display. */
static const char *display_from(const char *text)
{
	bool right = strlen(text) <= DISPLAY_LENGTH && text[0] != '-' && strchr(text, ':');

	for (const char *at = text; *at != '\0'; at++)
		right = right && isgraph((unsigned char)*at);
	if (right || strcmp(text, "xvfb") == 0)
		return text;
	fprintf(stderr, "x11: DISPLAY is '%s', allowed are xvfb and names such as :0, host:1.0\n",
		text);
	bench_usage();
}

static double base_from(const char *text)
{
	char *end;
	const double base = strtod(text, &end);

	if (text[strspn(text, "0123456789.")] == '\0' && end != text && *end == '\0' && base > 0)
		return base;
	fprintf(stderr, "x11: BASE is '%s', allowed are numbers above 0\n", text);
	bench_usage();
}

/* Splits `word` at its '='. */
static struct test test_from(char *word)
{
	struct test t = { .name = word };
	char *equals = strchr(word, '=');

	if (equals) {
		*equals = '\0';
		t.base = base_from(equals + 1);
	}
	if (*word == '\0' || strlen(word) > NAME_LENGTH) {
		fprintf(stderr, "x11: a NAME has 1 to %d letters\n", NAME_LENGTH);
		bench_usage();
	}
	for (const char *at = word; *at != '\0'; at++) {
		if (isalnum((unsigned char)*at))
			continue;
		fprintf(stderr, "x11: NAME is '%s', allowed are letters and digits\n", word);
		bench_usage();
	}
	return t;
}

/* x11perf does a test once, however often it is named. */
static void check_pair(const struct test *one, const struct test *other)
{
	if (strcmp(one->name, other->name) == 0)
		fprintf(stderr, "x11: '%s' is there twice\n", one->name);
	else if ((one->base > 0) != (other->base > 0))
		fprintf(stderr, "x11: '%s', '%s': all have a BASE or none\n", one->name,
			other->name);
	else
		return;
	bench_usage();
}

static struct test *tests_from(char **words, size_t n)
{
	struct test *tests = calloc(n, sizeof *tests);

	if (!tests)
		bench_fail("no memory for the tests");
	for (size_t i = 0; i < n; i++) {
		tests[i] = test_from(words[i]);
		for (size_t before = 0; before < i; before++)
			check_pair(&tests[before], &tests[i]);
	}
	return tests;
}

/* Skips x11 if no test can be done. The most frequent cause is a missing font. */
static void need_some(const struct test *tests, size_t n)
{
	const char *why = tests[0].missing.text;
	const bool fonts = strstr(why, "font") != NULL;

	for (size_t i = 0; i < n; i++)
		if (tests[i].missing.text[0] == '\0')
			return;
	bench_skip("%s%s", why, fonts ? " (fonts: Debian package xfonts-base)" : "");
}

static double score(const struct test *tests, size_t n)
{
	double sum = 0, logs = 0;
	size_t done = 0;

	for (size_t i = 0; i < n; i++) {
		if (tests[i].missing.text[0] != '\0')
			continue;
		done++;
		logs += log(tests[i].rate);
		if (tests[i].base > 0)
			sum += tests[i].rate / tests[i].base * 1000;
	}
	return tests[0].base > 0 ? sum / (double)done : exp(logs / (double)done);
}

/*
 * The programs must speak English, use only the display that was asked for, and leave no core file
 * when one crashes.
 */
static void set_environment(void)
{
	const struct rlimit no_core = { 0, 0 };

	setrlimit(RLIMIT_CORE, &no_core);
	if (setenv("LC_ALL", "C", 1) == -1 || unsetenv("DISPLAY") == -1)
		bench_fail("cannot set the environment");
}

int main(int argc, char **argv)
{
	const char *usage = "SECONDS DISPLAY NAME[=BASE] ... | --facts DISPLAY";
	struct bench b;
	struct test *tests;
	const char *display;
	size_t n;

	set_environment();
	if (argc == FIRST && strcmp(argv[1], "--facts") == 0) {
		bench_begin_for(&b, argv[0], "1", usage);
		bench_watch();
		facts_print(display_from(argv[2]));
		return 0;
	}
	bench_begin(&b, argc, argv, usage);
	if (argc <= FIRST)
		bench_usage();
	b.unit = "score";
	b.timebase = 0;
	b.unequal = true;
	n = (size_t)(argc - FIRST);
	tests = tests_from(argv + FIRST, n);
	bench_watch();
	display = server_for(display_from(argv[2]));
	measure_prepare(tests, n, display, b.seconds / (double)n);
	need_some(tests, n);
	bench_start(&b);
	measure(&b, tests, n, display, b.seconds / (double)n);
	for (size_t i = 0; i < n; i++)
		if (tests[i].missing.text[0] == '\0')
			channel_say("FIGURE|%s|%.3f", tests[i].name, tests[i].rate);
	bench_end_rate(&b, score(tests, n), (double)(b.now - b.start) / 1e9);
}
