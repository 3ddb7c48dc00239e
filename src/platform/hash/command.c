// SPDX-License-Identifier: GPL-2.0-or-later
/* command.c - runs a command and reads its answer; command.h lists what for. */
#include "platform/hash/command.h"
#include "bench.h"
#include "child.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>

/* TEXT: output of a command beyond this size is dropped. */
enum { TEXT = 512 };

/* The output of a command, how it ended, and the errno if it cannot be run. */
struct answer {
	char text[TEXT];
	int status, cause;
};

static void run(struct answer *a, const char *const words[], bool errors_too)
{
	struct child c = { .merged = errors_too };

	c.stream[CHILD_OUT] = (struct child_stream){ .text = a->text, .room = sizeof a->text };
	a->cause = child_start(&c, words);
	if (a->cause != 0)
		return;
	while (child_listen(&c, CHILD_LONG))
		continue;
	a->status = child_wait(&c);
}

static void check(const char *command, const struct answer *got)
{
	if (got->cause == 0 && got->status == 0)
		return;
	if (got->cause == ENOENT)
		bench_skip("there is no command '%s' (Debian package coreutils)", command);
	errno = got->cause;
	if (got->cause != 0)
		bench_fail("cannot run '%s'", command);
	if (WIFSIGNALED(got->status))
		bench_wrong("'%s' was killed by signal %d", command, WTERMSIG(got->status));
	bench_wrong("'%s' exited with status %d", command, WEXITSTATUS(got->status));
}

/*
 * A line is `DIGEST NAME`. A leading backslash says that some characters of the name are escaped.
 */
void command_digest(const struct algorithm *a, const struct input *in, char digest[DIGEST_TEXT])
{
	const char *const words[] = { a->command, in->path, NULL };
	const size_t digits = algorithm_digits(a);
	struct answer got;
	const char *from = got.text;

	run(&got, words, false);
	check(a->command, &got);
	from += *from == '\\';
	if (strspn(from, "0123456789abcdef") != digits || from[digits] != ' ')
		bench_wrong("'%s' printed no digest", a->command);
	memcpy(digest, from, digits);
	digest[digits] = '\0';
}

/* BusyBox rejects --version, but its error message begins with its name and version. */
const char *command_version(const char *command)
{
	static struct answer got;
	const char *const words[] = { command, "--version", NULL };
	char *line = got.text;

	run(&got, words, true);
	if (got.cause != 0)
		return "none";
	if (got.status != 0)
		line = strstr(got.text, "BusyBox");
	if (!line || line[0] == '\0' || line[0] == '\n')
		return "unknown";
	line[strcspn(line, "\r\n")] = '\0';
	return line;
}
