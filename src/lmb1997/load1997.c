// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * load1997 - the load test: programs of DIRECTORY, each with one unit of work, start at the same
 * moment, and the result is the time until the last has ended. PROGRAM=ARGUMENT passes an argument
 * to a program. One load is measured, whatever SECONDS says. The CPU time is that of the programs,
 * their set-up included.
 *
 *	FIGURE|programs|14		number of programs that took part
 *	FIGURE|m-permut|0.031240	seconds that this program took, by its own clock
 *	MISSING|m-vir.f|it is not built: Fortran needs gfortran
 */
#include "bench.h"
#include "child.h"
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * --- programs that set themselves up, start together at a gate, and end when they are done.
 * They report as channel.h describes, each with its number, into a pipe that all share:
 *
 *	3|COUNT|1|1|s
 *	3|TIME|0.481022
 *	5|SKIP|this system has no call to choose a CPU
 *
 * They stay in this process's group. When a program has failed, these functions call bench_fail.
 */
enum { PROGRAMS = 64, WORDS = 400 };

struct program {
	const char *name, *path, *argument;	/* `argument` may be NULL */
	bool absent;		/* the program cannot be run here; `words` say why */
	struct child child;
	double seconds;		/* time of its work, as it reports; 0: not known */
	char words[WORDS];
};

struct load {
	int programs, running;
	int ready;		/* how many have reported to be ready at the gate */
	bool open, silent;	/* `silent`: no program can report any more */
	int results[2], readies[2], gate[2];
	char line[512];
	size_t used;
	struct program program[PROGRAMS];
};

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

/* Starts all programs that are not absent, each with `seconds` of work. */
static void load_start(struct load *l, const char *seconds)
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

/* True until all running programs have set themselves up. */
static bool load_sets_up(struct load *l)
{
	if (l->ready >= l->running)
		return false;
	listen_to(l, true);
	return true;
}

static void load_open_gate(struct load *l)
{
	l->open = true;
	close(l->gate[1]);
}

/* True until the last program has ended. */
static bool load_works(struct load *l)
{
	if (l->running == 0)
		return false;
	listen_to(l, false);
	return true;
}

/* --- the programs of the command line, and the result */

enum { LONGEST = 40, FIRST = 3 };
/* A program always completes at least one unit. */
static const char ONE_UNIT[] = "0.000001";

/* The name must be valid as that of a FIGURE. */
static bool is_name(const char *text)
{
	const size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");

	return length > 0 && length <= LONGEST && text[length] == '\0' && text[0] != '.';
}

static const char *path_of(const char *directory, const char *name)
{
	const size_t size = strlen(directory) + strlen(name) + 2;
	char *path = malloc(size);

	if (!path)
		bench_fail("no memory for a path");
	snprintf(path, size, "%s/%s", directory, name);
	return path;
}

static bool is_fortran(const char *name)
{
	const size_t length = strlen(name);

	return length > 2 && strcmp(name + length - 2, ".f") == 0;
}

static struct program program_from(const char *directory, char *word)
{
	char *const equals = strchr(word, '=');
	struct program p = { .name = word, .argument = equals ? equals + 1 : NULL };

	if (equals)
		*equals = '\0';
	if (!is_name(p.name))
		bench_usage();
	p.path = path_of(directory, p.name);
	p.absent = access(p.path, F_OK) == -1 && errno == ENOENT;
	if (p.absent)
		snprintf(p.words, sizeof p.words, "%s", is_fortran(p.name) ?
			"it is not built: Fortran needs gfortran" :
			"the program is missing");
	return p;
}

static int taking_part(const struct load *load)
{
	int n = 0;

	for (int i = 0; i < load->programs; i++)
		n += !load->program[i].absent;
	return n;
}

static void say_results(const struct load *load)
{
	channel_say("FIGURE|programs|%d", taking_part(load));
	for (int i = 0; i < load->programs; i++)
		if (!load->program[i].absent)
			channel_say("FIGURE|%s|%.6f", load->program[i].name, load->program[i].seconds);
	for (int i = 0; i < load->programs; i++)
		if (load->program[i].absent)
			channel_say("MISSING|%s|%s", load->program[i].name, load->program[i].words);
}

static _Noreturn void skip(const struct load *load)
{
	const struct program *const first = &load->program[0];

	bench_skip("none of the programs can run: %s: %s", first->name, first->words);
}

int main(int argc, char **argv)
{
	static struct load load;
	struct bench b;

	bench_begin(&b, argc, argv, "SECONDS DIRECTORY PROGRAM[=ARGUMENT] ...");
	b.unit = BENCH_SECONDS;
	b.unequal = true;
	if (argc <= FIRST || argc > FIRST + PROGRAMS || argv[2][0] == '\0')
		bench_usage();
	for (int i = FIRST; i < argc; i++)
		load.program[load.programs++] = program_from(argv[2], argv[i]);
	bench_watch();
	load_start(&load, ONE_UNIT);
	while (load_sets_up(&load))
		continue;
	if (load.running == 0)
		skip(&load);
	bench_start(&b);
	load_open_gate(&load);
	while (load_works(&load))
		continue;
	bench_tick(&b, 1);
	if (taking_part(&load) == 0)
		skip(&load);
	say_results(&load);
	bench_end(&b);
}
