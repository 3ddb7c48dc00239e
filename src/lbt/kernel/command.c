// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - runs a command without a shell. The command stays in this process's group, so that a
 * signal to the group ends it as well.
 */
#include "lbt/kernel/command.h"

#include "bench.h"
#include "child.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

/*
 * LOOK: milliseconds between two checks whether the command still runs. CLOSED: milliseconds
 * between them once its output has ended.
 */
enum { LOOK = 200, CLOSED = 1 };
enum { NOTHING, ECHO, WORDS, STATEMENT, ERROR, CAUSE };
static const int64_t SECOND = 1000000000;

struct line {
	char text[COMMAND_WORDS];
	size_t used;
	int weight;		/* of the line that command_end holds */
};

static bool is_object(const char *text)
{
	return text[0] == ' ' && text[1] == ' ' && isupper((unsigned char)text[2]) &&
		isupper((unsigned char)text[3]);
}

/* These lines only repeat that something else has failed. */
static bool is_echo(const char *text)
{
	const char *const echoes[] = { "] Error ", "Waiting for unfinished jobs",
		"tar: Child returned status", "tar: Exiting with failure",
		"tar: Error is not recoverable" };

	for (size_t i = 0; i < sizeof echoes / sizeof *echoes; i++)
		if (strstr(text, echoes[i]))
			return true;
	return false;
}

/* Returns how much a line tells about a failure. */
static int weight_of(const char *text)
{
	if (text[strspn(text, " *")] == '\0' || strstr(text, "ing directory '"))
		return NOTHING;
	if (is_object(text) || is_echo(text))
		return ECHO;
	if (strstr(text, "error:"))
		return CAUSE;
	if (strstr(text, "error"))
		return ERROR;
	return strstr(text, "***") ? STATEMENT : WORDS;
}

/*
 * Keeps the line that tells most. If lines tell equally much, the last is kept; but for make's own
 * statements it is the first, since make may go on after an error.
 */
static void take_line(struct line *l, struct command_end *end)
{
	int weight;

	l->text[l->used] = '\0';
	weight = weight_of(l->text);
	if (is_object(l->text))
		end->objects++;
	if (weight > l->weight ||
			(weight == l->weight && weight != NOTHING && weight != STATEMENT)) {
		strcpy(end->last, l->text + strspn(l->text, " *"));
		l->weight = weight;
	}
	l->used = 0;
}

static char printable(char c)
{
	if (c == '\t')
		return ' ';
	return c >= ' ' && c <= '~' ? c : '?';
}

/* Takes all that has come, and makes room for more. */
static void take_text(struct child_stream *out, struct line *l, struct command_end *end)
{
	for (size_t i = 0; i < out->used; i++) {
		if (out->text[i] == '\n')
			take_line(l, end);
		else if (l->used < sizeof l->text - 1)
			l->text[l->used++] = printable(out->text[i]);
	}
	out->used = 0;
}

static void tell(const struct command *c, long objects)
{
	static struct {
		int64_t when;
		const char *now;
		long objects;
	} told;
	const int64_t when = bench_clock();

	if (!c->now || when - told.when < SECOND || (told.now == c->now && told.objects == objects))
		return;
	told.when = when;
	told.now = c->now;
	told.objects = objects;
	if (c->counts)
		channel_say("NOW|%s%ld object%s", c->now, objects, objects == 1 ? "" : "s");
	else
		channel_say("NOW|%s", c->now);
}

static int start(const struct command *c, struct child *child)
{
	const int cause = child_start(child, (const char *const *)c->words);

	if (cause != ENOENT || !c->otherwise)
		return cause;
	c->words[0] = c->otherwise;
	return child_start(child, (const char *const *)c->words);
}

/*
 * Does not wait for the end of the output, because processes that the command left behind may keep
 * it open.
 */
static void read_rest(struct child *child, struct line *l, struct command_end *end)
{
	struct child_stream *const out = &child->stream[CHILD_OUT];

	for (int i = 0; i < 100 && out->fd != 0; i++) {
		child_listen(child, 0);
		if (out->used == 0)
			break;
		take_text(out, l, end);
	}
	take_line(l, end);
	child_ignore(child);
}

struct command_end command_run(const struct command *c)
{
	static char text[CHILD_BLOCK + 1];
	struct child child = { .merged = true, .mercy = true };
	struct command_end end = { 0 };
	struct line line = { .used = 0 };
	bool more = true;

	child.stream[CHILD_OUT] = (struct child_stream){ .text = text, .room = sizeof text };
	end.cause = start(c, &child);
	if (end.cause != 0) {
		snprintf(end.last, sizeof end.last, "%s", c->words[0]);
		return end;
	}
	tell(c, 0);
	do {
		more = child_listen(&child, more ? LOOK : CLOSED);
		take_text(&child.stream[CHILD_OUT], &line, &end);
		tell(c, end.objects);
	} while (!child_ended(&child));
	read_rest(&child, &line, &end);
	end.status = child.status;
	errno = 0;
	return end;
}

void command_check(const struct command_end *end, const char *what)
{
	errno = end->cause;
	if (end->cause != 0)
		bench_fail("'%.80s' failed: cannot run '%.200s'", what, end->last);
	if (WIFSIGNALED(end->status))
		bench_fail("'%.80s' was killed by signal %d", what, WTERMSIG(end->status));
	if (WEXITSTATUS(end->status) == 0)
		return;
	if (end->last[0] != '\0')
		bench_fail("'%.80s' failed: %s", what, end->last);
	bench_fail("'%.80s' ended with status %d and no word", what, WEXITSTATUS(end->status));
}
