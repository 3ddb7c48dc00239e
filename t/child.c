// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * child.c - the program of t/run/child.t: it starts others through child.h and prints what became of
 * them.
 *
 *	run HOW MS WORDS	HOW is m: merged, o: standard output alone, n: nobody listens;
 *				MS 0 waits for the end
 *	hold FILE HOW END WORDS	HOW is m: mercy. FILE is removed at the end. After "ready" the
 *				program waits for a line, and then does what END says
 */
#include "bench.h"
#include "child.h"
#include "tidy.h"
#include "watch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROOM = 200, LOOK = 100 };
static const char *file;
static char text[CHILD_STREAMS][ROOM];

static void remove_file(void)
{
	unlink(file);
	errno = E2BIG;
}

static void say_end(int status)
{
	if (status == CHILD_HUNG)
		printf("hung\n");
	else if (WIFSIGNALED(status))
		printf("signal %d\n", WTERMSIG(status));
	else
		printf("exit %d\n", WEXITSTATUS(status));
}

static int run(char **words)
{
	const int ms = atoi(words[1]);
	const int64_t until = bench_clock() + (int64_t)ms * 1000000;
	struct child c = { .merged = strchr(words[0], 'm') };
	int cause;

	for (int i = 0; i < CHILD_STREAMS; i++)
		if (!strchr(words[0], 'n') && (i == CHILD_OUT || !strpbrk(words[0], "mo")))
			c.stream[i] = (struct child_stream){ .text = text[i], .room = ROOM };
	cause = child_start(&c, (const char *const *)words + 2);
	if (cause != 0) {
		printf("cannot run it: %s\n", strerror(cause));
		return c.pid == 0 ? 0 : 1;
	}
	while (child_listen(&c, LOOK) && (ms == 0 || bench_clock() < until))
		continue;
	say_end(ms == 0 ? child_wait(&c) : child_end(&c, until));
	printf("%s--\n%s--\n", text[CHILD_OUT], text[CHILD_ERR]);
	return c.pid == 0 && child_ended(&c) ? 0 : 1;
}

/* Forks a process that has not called bench_tidy. */
static void fork_and(const char *what)
{
	const pid_t pid = fork();

	if (pid == 0 && strcmp(what, "forked-exit") == 0)
		exit(3);
	if (pid == 0)
		bench_fail("in a process of its own");
	if (waitpid(pid, NULL, 0) != pid || access(file, F_OK) == -1)
		bench_fail("the file has gone");
	printf("the file is there\n");
	fflush(stdout);
}

static void end_by(const char *how)
{
	errno = how[0] == 'f' ? ENOSPC : 0;
	if (strcmp(how, "fail") == 0)
		bench_fail("what was asked for");
	if (strcmp(how, "wrong") == 0)
		bench_wrong("what was asked for");
	if (strcmp(how, "skip") == 0)
		bench_skip("what was asked for");
	if (strcmp(how, "usage") == 0)
		bench_usage();
	if (strncmp(how, "forked", 6) == 0)
		fork_and(how);
}

static int hold(char **words)
{
	static struct child program, function;
	FILE *out;

	file = words[0];
	out = fopen(file, "w");
	if (!out || fclose(out) != 0)
		bench_fail("cannot make '%s'", file);
	bench_tidy(remove_file);
	bench_watch();
	program.stream[CHILD_OUT] = (struct child_stream){ .text = text[0], .room = ROOM };
	program.mercy = strchr(words[1], 'm');
	if (child_start(&program, (const char *const *)words + 3) != 0)
		bench_fail("cannot start");
	if (child_fork(&function))
		for (;;)
			pause();
	printf("%ld\nready\n", (long)function.pid);
	fflush(stdout);
	while (getchar() != '\n')
		if (feof(stdin))
			child_listen(&program, LOOK);
	end_by(words[2]);
	return 0;
}

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin_for(&b, argv[0], "1", "run|hold ...");
	if (argc > 4 && strcmp(argv[1], "run") == 0)
		return run(argv + 2);
	return argc > 5 && strcmp(argv[1], "hold") == 0 ? hold(argv + 2) : 2;
}
