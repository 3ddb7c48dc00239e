// SPDX-License-Identifier: GPL-2.0-or-later
/* load.c - starts many programs, listens to them and reaps them; load.h is the manual. */
#include "lmb1997/load1997/load.h"
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* LOOK: milliseconds between two checks whether a program has died without a report. */
enum { LOOK = 200, CANNOT_RUN_HERE = 77, NUMBER = 24 };

static _Noreturn void fail_for(const struct program *p, const char *why)
{
	errno = 0;
	bench_fail("%s: %s", p->name, why);
}

/* An exec closes this process's own ends. */
static void make_pipe(int ends[2])
{
	if (pipe(ends) == -1)
		bench_fail("cannot make a pipe");
	for (int i = 0; i < 2; i++)
		if (fcntl(ends[i], F_SETFD, FD_CLOEXEC) == -1)
			bench_fail("cannot make a pipe");
}

static void set(const char *variable, int value)
{
	char number[NUMBER];

	snprintf(number, sizeof number, "%d", value);
	if (setenv(variable, number, 1) == -1)
		bench_fail("cannot set the environment");
}

static void hand_on(const char *variable, int fd)
{
	if (fcntl(fd, F_SETFD, 0) == -1)
		bench_fail("cannot hand on a pipe");
	set(variable, fd);
}

/*
 * Nothing stays in the environment that refers to this process's own results and gate: the
 * children get the new pipes instead.
 */
static void prepare(struct load *l)
{
	make_pipe(l->results);
	make_pipe(l->readies);
	make_pipe(l->gate);
	hand_on("TS_RESULT", l->results[1]);
	hand_on("TS_READY", l->readies[1]);
	hand_on("TS_GATE", l->gate[0]);
	if (unsetenv("TS_SLICES") == -1 || unsetenv("TS_TURN") == -1 || unsetenv("TS_WARM") == -1 ||
			fcntl(l->results[0], F_SETFL, O_NONBLOCK) == -1)
		bench_fail("cannot listen to the programs");
}

void load_start(struct load *l, const char *seconds)
{
	prepare(l);
	for (int i = 0; i < l->programs; i++) {
		struct program *const p = &l->program[i];
		const char *const words[] = { p->path, seconds, p->argument, NULL };

		if (p->absent)
			continue;
		set("TS_COPY", i);
		errno = child_start(&p->child, words);
		if (errno != 0)
			bench_fail("%s: cannot run it", p->name);
		l->running++;
	}
	close(l->results[1]);
	close(l->readies[1]);
	close(l->gate[0]);
}

static const char *after(const char *text, const char *word)
{
	const size_t length = strlen(word);

	return strncmp(text, word, length) == 0 ? text + length : NULL;
}

static void take_line(struct load *l, const char *line)
{
	struct program *p;
	const char *rest;
	char *end;
	const long i = strtol(line, &end, 10);

	if (end == line || *end != '|' || i < 0 || i >= l->programs)
		return;
	p = &l->program[i];
	if ((rest = after(end, "|ERROR|")))
		fail_for(p, rest);
	if ((rest = after(end, "|SKIP|")))
		snprintf(p->words, sizeof p->words, "%s", rest);
	if ((rest = after(end, "|TIME|")))
		p->seconds = strtod(rest, NULL);
}

/*
 * Takes all that has come. At the end of the pipe all programs have ended, or will without a
 * report.
 */
static void take_results(struct load *l)
{
	char block[4096];
	ssize_t n;

	while ((n = read(l->results[0], block, sizeof block)) > 0) {
		for (ssize_t i = 0; i < n; i++) {
			if (block[i] != '\n' && l->used < sizeof l->line - 1)
				l->line[l->used++] = block[i];
			if (block[i] != '\n')
				continue;
			l->line[l->used] = '\0';
			l->used = 0;
			take_line(l, l->line);
		}
	}
	if (n == 0)
		l->silent = true;
	else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
		bench_fail("cannot listen to the programs");
}

static void take_readies(struct load *l)
{
	char block[PROGRAMS];
	const ssize_t n = read(l->readies[0], block, sizeof block);

	if (n > 0) {
		l->ready += (int)n;
	} else if (n == 0) {
		close(l->readies[0]);
		l->readies[0] = -1;
	}
}

static void judge(const struct load *l, struct program *p, int status)
{
	char why[64];

	if (WIFSIGNALED(status)) {
		snprintf(why, sizeof why, "it was killed by signal %d", WTERMSIG(status));
		fail_for(p, why);
	}
	if (WEXITSTATUS(status) == CANNOT_RUN_HERE) {
		p->absent = true;
		if (p->words[0] == '\0')
			snprintf(p->words, sizeof p->words, "it cannot run here");
		return;
	}
	if (WEXITSTATUS(status) != 0) {
		snprintf(why, sizeof why, "it ended with exit status %d", WEXITSTATUS(status));
		fail_for(p, why);
	}
	if (!l->open)
		fail_for(p, "it ended before all could begin");
	if (p->seconds <= 0)
		fail_for(p, "it did not say how long it took");
}

/*
 * Once a program can no longer report, it is about to end, so it is waited for; otherwise the end
 * of the last one would be noticed late. When a program has ended, all its lines have arrived.
 */
static void reap(struct load *l)
{
	for (int i = 0; i < l->programs; i++) {
		struct program *const p = &l->program[i];

		if (p->child.pid == 0)
			continue;
		if (l->silent)
			child_wait(&p->child);
		else if (!child_ended(&p->child))
			continue;
		l->running--;
		take_results(l);
		judge(l, p, p->child.status);
	}
}

/* Sleeps until a program reports, all have ended, or the next check is due. */
static void listen_to(struct load *l, bool readies)
{
	struct pollfd p[] = {
		{ .fd = l->results[0], .events = POLLIN },
		{ .fd = readies ? l->readies[0] : -1, .events = POLLIN },
	};

	if (poll(p, 2, LOOK) > 0 && p[1].revents != 0)
		take_readies(l);
	take_results(l);
	reap(l);
}

bool load_sets_up(struct load *l)
{
	if (l->ready >= l->running)
		return false;
	listen_to(l, true);
	return true;
}

void load_open_gate(struct load *l)
{
	l->open = true;
	close(l->gate[1]);
}

bool load_works(struct load *l)
{
	if (l->running == 0)
		return false;
	listen_to(l, false);
	return true;
}
