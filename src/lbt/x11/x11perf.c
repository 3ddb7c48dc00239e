// SPDX-License-Identifier: GPL-2.0-or-later
/* x11perf.c - see x11perf.h. The functions that read output only do that: none runs, waits or fails. */
#include "lbt/x11/x11perf.h"
#include "bench.h"
#include "child.h"
#include "lbt/x11/server.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/*
 * x11perf prints a rate with three digits, and the milliseconds of an object with four decimals.
 * From this many milliseconds on, the latter have more digits.
 */
static const double SLOW_MSEC = 0.1;
enum { LINE = 256 };

static const char *end_of_line(const char *line)
{
	return line + strcspn(line, "\n");
}

static const char *next_line(const char *line)
{
	const char *end = end_of_line(line);

	return *end == '\n' ? end + 1 : end;
}

static bool is_rate(double value)
{
	return isfinite(value) && value > 0;
}

/*
 * Reads the line of one repetition and returns where its label begins, or NULL. Negative seconds
 * mean that the line cannot be right. The line is copied because sscanf would read on past its
 * end.
 */
static const char *repetition(const char *line, double *objects, double *seconds)
{
	char copy[LINE];
	double msec, rate;
	int label = 0;

	snprintf(copy, sizeof copy, "%.*s", (int)(end_of_line(line) - line), line);
	sscanf(copy, " %lf reps @ 0.0 msec (unmeasurably fast): %n", objects, &label);
	if (label > 0) {
		*seconds = 0;
		return line + label;
	}
	sscanf(copy, " %lf reps @ %lf msec (%lf/sec): %n", objects, &msec, &rate, &label);
	if (label == 0)
		return NULL;
	if (is_rate(msec) && msec >= SLOW_MSEC)
		*seconds = *objects * msec / 1000;
	else
		*seconds = is_rate(rate) ? *objects / rate : -1;
	return line + label;
}

static bool is_label(const char *text, const char *label)
{
	const size_t length = strlen(label);

	return (size_t)(end_of_line(text) - text) == length && strncmp(text, label, length) == 0;
}

static void copy_label(char label[LABEL], const char *text)
{
	const size_t length = (size_t)(end_of_line(text) - text);
	const size_t kept = length < LABEL - 1 ? length : LABEL - 1;

	memcpy(label, text, kept);
	label[kept] = '\0';
}

struct sum output_sum(const char *text, const char *label, bool *strange)
{
	struct sum sum = { 0 };
	double objects, seconds;

	*strange = false;
	for (const char *line = text; *line != '\0'; line = next_line(line)) {
		const char *own = repetition(line, &objects, &seconds);

		if (!own || (label && !is_label(own, label)))
			continue;
		if (sum.label[0] == '\0')
			copy_label(sum.label, own);
		else if (!is_label(own, sum.label))
			*strange = true;
		if (!is_rate(objects) || !isfinite(seconds) || seconds < 0)
			continue;
		sum.lines++;
		sum.objects += objects;
		sum.seconds += seconds;
	}
	return sum;
}

int output_finished_tests(const char *text)
{
	int tests = 0;

	for (const char *at = strstr(text, " trep @ "); at; at = strstr(at + 1, " trep @ "))
		tests++;
	return tests;
}

struct words output_words(const char *from, const char *to)
{
	struct words words;
	size_t used = 0;

	while (from < to && *from == ' ')
		from++;
	while (to > from && to[-1] == ' ')
		to--;
	for (; from < to && used < WORDS_LENGTH - 1; from++)
		words.text[used++] = *from == '|' || *from < ' ' || *from > '~' ? '?' : *from;
	words.text[used] = '\0';
	return words;
}

/* Every line of an X server's error message begins with (EE), even an empty one. */
static struct words line_words(const char *line)
{
	if (strncmp(line, "(EE)", 4) == 0)
		line += 4;
	return output_words(line, end_of_line(line));
}

struct words output_first_line(const char *text)
{
	struct words words = { "" };

	for (; *text != '\0' && words.text[0] == '\0'; text = next_line(text))
		words = line_words(text);
	return words;
}

struct words output_last_line(const char *text)
{
	struct words last = { "" };

	for (; *text != '\0'; text = next_line(text)) {
		const struct words words = line_words(text);

		if (words.text[0] != '\0')
			last = words;
	}
	return last;
}

struct words output_value(const char *text, const char *start)
{
	const size_t length = strlen(start);

	for (; *text != '\0'; text = next_line(text))
		if (strncmp(text, start, length) == 0)
			return output_words(text + length, end_of_line(text));
	return (struct words){ "" };
}

struct words output_excuse(const char *text)
{
	const char *header = strstr(text, "Sync time adjustment");

	return header ? output_first_line(next_line(header)) : (struct words){ "" };
}

struct words output_ending(int wait_status)
{
	struct words words;

	if (WIFSIGNALED(wait_status))
		snprintf(words.text, sizeof words.text, "signal %d", WTERMSIG(wait_status));
	else
		snprintf(words.text, sizeof words.text, "status %d", WEXITSTATUS(wait_status));
	return words;
}

/* --- runs x11perf */

/*
 * x11perf may take BUSY times the expected time, plus SPARE seconds. On a busy machine it took 1.3
 * times as long. The limit must be below Run's own, so that this program reports the failure.
 */
static const double BUSY = 1.75, SPARE = 10;
enum { FIXED_WORDS = 10, NUMBER = 24, OPTION = 64 };
/* MOMENT is the milliseconds between two looks at the clock. */
enum { TEXT = 32768, MOMENT = 200 };

static char text[CHILD_STREAMS][TEXT];
static struct child tool = {
	.stream = { { .text = text[CHILD_OUT], .room = TEXT }, { .text = text[CHILD_ERR], .room = TEXT } },
	.mercy = true,
};

static struct words name_of(const struct order *order)
{
	struct words what;
	const char *first = order->names[0];

	if (order->tests == 1)
		snprintf(what.text, sizeof what.text, "%.60s", first);
	else
		snprintf(what.text, sizeof what.text, "%.60s and %zu more", first,
			order->tests - 1);
	return what;
}

/*
 * Adds everything but the names of tests. The texts are in the caller's `numbers`, and last as
 * long.
 */
static size_t add_options(const char *words[], const struct order *order, char numbers[2][NUMBER])
{
	size_t n = 0;

	words[n++] = "x11perf";
	words[n++] = "-display";
	words[n++] = order->display;
	/* The window tests have 25 children, as in UnixBench. */
	words[n++] = "-subs";
	words[n++] = "25";
	snprintf(numbers[0], NUMBER, "%d", order->repeat);
	words[n++] = "-repeat";
	words[n++] = numbers[0];
	snprintf(numbers[1], NUMBER, "%ld", order->reps != 0 ? order->reps : order->seconds);
	words[n++] = order->reps != 0 ? "-reps" : "-time";
	words[n++] = numbers[1];
	return n;
}

static void start(const struct order *order)
{
	const char **words = calloc(FIXED_WORDS + order->tests, sizeof *words);
	char (*options)[OPTION] = calloc(order->tests, sizeof *options);
	char numbers[2][NUMBER];
	size_t n;
	int cause;

	if (!words || !options)
		bench_fail("no memory for a command");
	n = add_options(words, order, numbers);
	for (size_t i = 0; i < order->tests; i++) {
		snprintf(options[i], OPTION, "-%.60s", order->names[i]);
		words[n++] = options[i];
	}
	cause = child_start(&tool, words);
	free(options);
	free(words);
	if (cause == ENOENT)
		bench_skip("x11perf is not installed (Debian package x11-apps)");
	errno = cause;
	if (cause != 0)
		bench_fail("cannot run x11perf");
}

static bool output_has(const char *what)
{
	return strstr(text[CHILD_OUT], what) || strstr(text[CHILD_ERR], what);
}

static _Noreturn void fail_to_open(const char *display)
{
	struct words why = output_first_line(text[CHILD_ERR]);

	if (why.text[0] == '\0' || strstr(why.text, "unable to open display"))
		why = (struct words){ "no server answers there" };
	bench_fail("the display '%.60s' cannot be opened: %.120s; allow it with xhost or "
		"XAUTHORITY, or use a server of Touchstone's own with --x-display xvfb", display,
		why.text);
}

/*
 * True if the test itself broke x11perf, and nothing from outside: a signal that a crash raises,
 * or an error reported by the X server. For example, Debian's x11perf 7.7 crashes in aa4trap300 on
 * Xvfb 21.1.
 */
static bool is_broken(int status)
{
	static const int crashes[] = { SIGSEGV, SIGABRT, SIGBUS, SIGFPE };

	for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
		if (WIFSIGNALED(status) && WTERMSIG(status) == crashes[i])
			return true;
	return output_has("X Error of failed request");
}

/* Results printed before the crash are not valid. */
static void forget_results(const char *test, int status)
{
	text[CHILD_OUT][0] = '\0';
	if (WIFSIGNALED(status))
		snprintf(text[CHILD_ERR], TEXT, "x11perf -%s died by signal %d", test,
			WTERMSIG(status));
}

static void check_ending(const struct order *order, int status, double limit)
{
	const struct words name = name_of(order), words = output_first_line(text[CHILD_ERR]);
	const char *what = name.text;

	if (status == 0)
		return;
	errno = 0;
	if (status == CHILD_HUNG)
		bench_fail("x11perf (%s) did not end within %.0f seconds and was killed", what,
			limit);
	if (output_has("usage: "))
		bench_fail("x11perf does not know the test '%.60s'", what);
	if (server_is_gone())
		bench_fail("the X server ended in the middle of x11perf (%s)", what);
	if (output_has("unable to open display"))
		fail_to_open(order->display);
	if (order->trial && is_broken(status))
		forget_results(what, status);
	else
		bench_fail("x11perf (%s) ended with %s: %.200s", what, output_ending(status).text,
			words.text[0] != '\0' ? words.text : "it does not say why");
}

const char *x11perf_run(const struct order *order, listener *report, void *whom, const char **words)
{
	const double limit = order->expected * BUSY + SPARE;
	int64_t until;
	bool more;

	start(order);
	until = bench_clock() + (int64_t)(limit * 1e9);
	do {
		more = child_listen(&tool, MOMENT);
		if (report)
			report(whom, text[CHILD_OUT]);
	} while (more && bench_clock() < until);
	check_ending(order, child_end(&tool, until), limit);
	if (words)
		*words = text[CHILD_ERR];
	return text[CHILD_OUT];
}
