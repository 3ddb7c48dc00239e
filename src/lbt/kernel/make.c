// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * make.c - runs a command without a shell, and make with its arguments and its environment. A command
 * stays in this process's group, so that a signal to the group ends it as well.
 */
#include "lbt/kernel/make.h"
#include "bench.h"
#include "child.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

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

static void report(const struct command *c, long objects)
{
	static struct {
		int64_t when;
		const char *now;
		long objects;
	} reported;
	const int64_t when = bench_clock();

	if (!c->now || when - reported.when < SECOND || (reported.now == c->now && reported.objects == objects))
		return;
	reported.when = when;
	reported.now = c->now;
	reported.objects = objects;
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
	report(c, 0);
	do {
		more = child_listen(&child, more ? LOOK : CLOSED);
		take_text(&child.stream[CHILD_OUT], &line, &end);
		report(c, end.objects);
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

/* --- make */

extern char **environ;

/*
 * The kernel's names of architectures; lib/Touchstone/Suite/Lbt/KernelSource.pm has the same list.
 * make is told the architecture because otherwise a small configuration on x86_64 builds a 32-bit
 * kernel.
 */
static const struct architecture {
	const char *machine, *name;
	int bits;
} architectures[] = {
	{ "x86_64", "x86_64", 64 },
	{ "amd64", "x86_64", 64 },
	{ "i?86", "i386", 32 },
	{ "aarch64*", "arm64", 64 },
	{ "arm64", "arm64", 64 },
	{ "arm*", "arm", 32 },
	{ "ppc*", "powerpc", 0 },
	{ "riscv*", "riscv", 0 },
	{ "s390*", "s390", 0 },
	{ "mips*", "mips", 0 },
	{ "loongarch*", "loongarch", 0 },
	{ "sparc64", "sparc64", 64 },
	{ "sparc*", "sparc", 0 },
	{ "parisc64", "parisc64", 64 },
	{ "parisc*", "parisc", 0 },
	{ "m68k*", "m68k", 32 },
};

static struct {
	const char *compiler;	/* NULL: the kernel chooses */
	char *jobs, *cc, *hostcc, *arch;
	struct architecture architecture;
} make;

/* These variables would change the build or hide its lines. */
static bool is_foreign(const char *variable)
{
	const char *const names[] = { "ARCH=", "SUBARCH=", "CROSS_COMPILE=", "LLVM=", "LLVM_IAS=",
		"O=", "V=", "W=", "C=", "M=", "MO=", "KBUILD_", "KCONFIG_", "KCFLAGS=",
		"KCPPFLAGS=", "KAFLAGS=", "KRUSTFLAGS=", "HOSTCFLAGS=", "HOSTLDFLAGS=",
		"USERCFLAGS=", "USERLDFLAGS=", "LOCALVERSION=", "MAKEFLAGS=", "GNUMAKEFLAGS=",
		"MFLAGS=", "MAKELEVEL=", "MAKEFILES=", "TAR_OPTIONS=" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(variable, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static void clean_environment(void)
{
	for (size_t i = 0; environ[i];) {
		char *name = is_foreign(environ[i]) ? make_text("%s", environ[i]) : NULL;

		if (!name) {
			i++;
			continue;
		}
		name[strcspn(name, "=")] = '\0';
		if (unsetenv(name) == -1)
			bench_fail("cannot clean the environment");
		free(name);
	}
	if (setenv("CCACHE_DISABLE", "1", 1) == -1 || setenv("LC_ALL", "C", 1) == -1)
		bench_fail("cannot set the environment");
}

char *make_text(const char *format, ...)
{
	va_list values;
	char *text;
	int length;

	va_start(values, format);
	length = vsnprintf(NULL, 0, format, values);
	va_end(values);
	text = length < 0 ? NULL : malloc((size_t)length + 1);
	if (!text)
		bench_fail("no memory for a text");
	va_start(values, format);
	vsnprintf(text, (size_t)length + 1, format, values);
	va_end(values);
	return text;
}

/* A machine that is not in the list has the same name in the kernel and the system. */
static struct architecture find_architecture(void)
{
	static struct utsname system;

	if (uname(&system) == -1)
		bench_fail("cannot tell what machine this is");
	for (size_t i = 0; i < sizeof architectures / sizeof *architectures; i++)
		if (fnmatch(architectures[i].machine, system.machine, 0) == 0)
			return architectures[i];
	return (struct architecture){ system.machine, system.machine, 0 };
}

void make_begin(long jobs, const char *compiler)
{
	clean_environment();
	make.compiler = compiler;
	make.architecture = find_architecture();
	make.jobs = make_text("-j%ld", jobs);
	make.arch = make_text("ARCH=%s", make.architecture.name);
	make.cc = make_text("CC=%s", compiler ? compiler : "");
	make.hostcc = make_text("HOSTCC=%s", compiler ? compiler : "");
	errno = 0;
}

const char *make_compiler(void)
{
	return make.compiler ? make.compiler : "the kernel's choice";
}

const char *make_architecture(void)
{
	return make.architecture.name;
}

int make_bits(void)
{
	return make.architecture.bits;
}

struct command_end make_run(const char *tree, const char *objects, const char *target,
		const char *now)
{
	char *where = make_text("O=%s", objects);
	char *words[] = { "gmake", "-C", (char *)tree, make.jobs, where, make.arch, (char *)target,
		NULL, NULL, NULL };
	const struct command c = {
		.words = words, .otherwise = "make", .now = now, .counts = true
	};
	struct command_end end;

	if (make.compiler) {
		words[7] = make.cc;
		words[8] = make.hostcc;
	}
	end = command_run(&c);
	free(where);
	return end;
}
