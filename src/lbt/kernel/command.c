// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.c - a command without a shell. It stays in this process's group, so that what ends the
 * group ends it as well.
 */
#include "command.h"

#include "bench.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Milliseconds between two looks whether the command lives; CLOSED: when its output has ended. */
enum { CANNOT_RUN = 127, LOOK = 200, CLOSED = 1 };
enum { NOTHING, ECHO, WORDS, STATEMENT, ERROR, CAUSE };
static const int64_t SECOND = 1000000000, MERCY = 2000000000;

/* What a signal handler needs. */
static struct {
	volatile pid_t child;	/* 0: none */
	volatile int out;
	bool own_group;
} running;

struct line {
	char text[COMMAND_WORDS];
	size_t used;
	int weight;		/* of the line kept in command_end */
};

/*
 * The end of the output is the end of all that the command has started, so it is waited for. What
 * comes before it is read: who cannot write does not end. Also called from a signal handler.
 */
static void end_child(void)
{
	struct pollfd p = { .fd = running.out, .events = POLLIN };
	const int64_t until = bench_clock() + MERCY;
	const pid_t child = running.child;
	char block[4096];

	if (child == 0)
		return;
	kill(child, SIGTERM);
	while (bench_clock() < until &&
			(poll(&p, 1, LOOK) != 1 || read(p.fd, block, sizeof block) > 0))
		continue;
	close(running.out);
	while (waitpid(child, NULL, 0) == -1 && errno == EINTR)
		continue;
}

static void on_signal(int number)
{
	end_child();
	signal(number, SIG_DFL);
	raise(number);
}

/* Run was killed: its copies have a group of their own, in which everything that was started is. */
static _Noreturn void leave(void)
{
	if (running.own_group)
		kill(0, SIGKILL);
	end_child();
	_exit(1);
}

/* A report that nobody reads any more is an end like the others, also where that is ignored. */
void command_begin(void)
{
	const int signals[] = { SIGHUP, SIGINT, SIGTERM };

	running.own_group = getpgrp() != getpgid(getppid());
	signal(SIGCHLD, SIG_DFL);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		if (signal(signals[i], on_signal) == SIG_IGN)
			signal(signals[i], SIG_IGN);
	signal(SIGPIPE, on_signal);
}

static void normal_signals(void)
{
	const int signals[] = { SIGHUP, SIGINT, SIGTERM };
	sigset_t none;

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		if (signal(signals[i], SIG_DFL) == SIG_IGN)
			signal(signals[i], SIG_IGN);
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void become(const struct command *c, int out)
{
	const int in = open("/dev/null", O_RDONLY);

	normal_signals();
	if (in == -1 || dup2(in, STDIN_FILENO) == -1 || dup2(out, STDOUT_FILENO) == -1 ||
			dup2(out, STDERR_FILENO) == -1)
		_exit(1);
	execvp(c->words[0], c->words);
	if (errno == ENOENT && c->otherwise) {
		c->words[0] = c->otherwise;
		execvp(c->words[0], c->words);
	}
	/* Standard output is the pipe: this is read as the command's last words. */
	printf("cannot run '%s': %s\n", c->words[0], strerror(errno));
	fflush(stdout);
	_exit(CANNOT_RUN);
}

/* Returns where its output is read. No signal comes between its start and the note of it. */
static int start(const struct command *c)
{
	sigset_t all, before;
	pid_t child;
	int out[2];

	if (pipe(out) == -1)
		bench_fail("cannot make a pipe");
	fcntl(out[0], F_SETFD, FD_CLOEXEC);
	fcntl(out[1], F_SETFD, FD_CLOEXEC);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	child = fork();
	if (child == -1)
		bench_fail("cannot make a process");
	if (child == 0)
		become(c, out[1]);
	running.out = out[0];
	running.child = child;
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(out[1]);
	return out[0];
}

static bool is_object(const char *text)
{
	return text[0] == ' ' && text[1] == ' ' && isupper((unsigned char)text[2]) &&
		isupper((unsigned char)text[3]);
}

/* Only says that something else has failed. */
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

/* How much a line tells about a failure. */
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

/* Of equal lines the last is kept, but the first of what make itself states: it may go on. */
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

/* False at the end of the output. */
static bool read_some(int fd, struct line *l, struct command_end *end)
{
	char block[4096];
	const ssize_t n = read(fd, block, sizeof block);

	for (ssize_t i = 0; i < n; i++) {
		if (block[i] == '\n')
			take_line(l, end);
		else if (l->used < sizeof l->text - 1)
			l->text[l->used++] = printable(block[i]);
	}
	return n > 0 || (n == -1 && errno == EINTR);
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

/* The process id is forgotten before another process can have it and a signal can come. */
static bool has_ended(int *status)
{
	sigset_t all, before;
	pid_t ended;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	ended = waitpid(running.child, status, WNOHANG);
	if (ended == -1)
		bench_fail("cannot wait for a command");
	if (ended != 0)
		running.child = 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return ended != 0;
}

/* What the command has left behind may keep its output open: the end of it is not waited for. */
static void read_rest(int fd, struct line *l, struct command_end *end)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	for (int i = 0; i < 100 && poll(&p, 1, 0) == 1 && read_some(fd, l, end); i++)
		continue;
	take_line(l, end);
}

struct command_end command_run(const struct command *c)
{
	struct pollfd p = { .fd = start(c), .events = POLLIN };
	const int out = p.fd;
	struct command_end end = { 0 };
	struct line line = { .used = 0 };

	tell(c, 0);
	do {
		/* A descriptor below zero is one that poll does not look at. */
		if (poll(&p, 1, p.fd == -1 ? CLOSED : LOOK) == 1 && !read_some(out, &line, &end))
			p.fd = -1;
		if (channel_is_dead())
			leave();
		tell(c, end.objects);
	} while (!has_ended(&end.status));
	read_rest(out, &line, &end);
	close(out);
	errno = 0;
	return end;
}

void command_check(const struct command_end *end, const char *what)
{
	errno = 0;
	if (WIFSIGNALED(end->status))
		bench_fail("'%.80s' was killed by signal %d", what, WTERMSIG(end->status));
	if (WEXITSTATUS(end->status) == 0)
		return;
	if (end->last[0] != '\0')
		bench_fail("'%.80s' failed: %s", what, end->last);
	bench_fail("'%.80s' ended with status %d and no word", what, WEXITSTATUS(end->status));
}
