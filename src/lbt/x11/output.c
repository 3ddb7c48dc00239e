// SPDX-License-Identifier: GPL-2.0-or-later
/* output.c - see output.h. These functions only read text: none runs, waits or fails. */
#include "lbt/x11/output.h"

#include <math.h>
#include <stdio.h>
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
