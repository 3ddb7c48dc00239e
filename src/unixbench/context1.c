// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * context1 - one operation is a round trip of a counter between two processes, through two pipes.
 * Each process keeps a counter of its own and compares. The scheduler chooses their CPUs unless
 * Run does. On one CPU a round trip is two context switches; on two CPUs it is two wake-ups from
 * idle, which is a different measurement.
 */
#include "bench.h"

#include <inttypes.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void report(int fd, uint64_t counter)
{
	if (write(fd, &counter, sizeof counter) != sizeof counter)
		bench_fail("cannot write to a pipe");
}

/* The other process answers until the pipe is closed, and then reports how far it has counted. */
static _Noreturn void answer(int in, int out)
{
	uint64_t counter = 0, answer;

	bench_pin(1);
	while (read(in, &answer, sizeof answer) == sizeof answer) {
		if (answer != counter)
			bench_wrong("the child was sent %" PRIu64 " and has counted %" PRIu64, answer, counter);
		report(out, counter++);
	}
	report(out, counter);
	_exit(0);
}

/* A child that exits with a failure has already reported why, so nothing is added. */
static void reap(pid_t child)
{
	int status;

	if (waitpid(child, &status, 0) != child)
		bench_fail("cannot wait for the child");
	if (WIFSIGNALED(status))
		bench_wrong("the child was killed by signal %d", WTERMSIG(status));
	if (WEXITSTATUS(status) != 0)
		_exit(WEXITSTATUS(status));
}

static uint64_t hear(int fd, pid_t child)
{
	uint64_t counter;

	if (read(fd, &counter, sizeof counter) != sizeof counter) {
		reap(child);
		bench_fail("cannot read from a pipe");
	}
	return counter;
}

int main(int argc, char **argv)
{
	struct bench b;
	uint64_t counter = 0, heard;
	int to[2], from[2];
	pid_t child;

	bench_begin(&b, argc, argv, NULL);
	if (pipe(to) == -1 || pipe(from) == -1)
		bench_fail("cannot make a pipe");
	child = fork();
	if (child == -1)
		bench_fail("cannot make a process");
	close(to[child == 0]);
	close(from[child != 0]);
	if (child == 0)
		answer(to[0], from[1]);
	/* The death of the child then shows as a failed read, and hear finds its cause. */
	signal(SIGPIPE, SIG_IGN);
	while (bench_next(&b)) {
		if (write(to[1], &counter, sizeof counter) == -1)
			hear(from[0], child);
		heard = hear(from[0], child);
		if (heard != counter)
			bench_wrong("the parent heard %" PRIu64 " and has counted %" PRIu64, heard, counter);
		counter++;
	}
	close(to[1]);
	heard = hear(from[0], child);
	if (heard != counter || heard != b.count)
		bench_wrong("the child has counted %" PRIu64 " round trips, the parent %" PRIu64, heard, b.count);
	reap(child);
	bench_end(&b);
}
