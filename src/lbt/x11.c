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
#include "lbt/x11/facts.h"
#include "lbt/x11/measure.h"
#include "watch.h"
#include "lbt/x11/server.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

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
