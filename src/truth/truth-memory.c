// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * truth-memory - one operation is the first touch of a page of new memory. A process of its own maps KB of
 * memory, touches it page by page for a third of the time, gives it back, and does that with as many pages
 * twice more. Small pages are asked for. It is no test of bandwidth: a page is touched once.
 */
#include "bench.h"
#include "truth/truth-memory/rounds.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LEAST_KB = 1024, MOST_KB = 4 << 20 };
/* How the child ends. */
enum { DONE, WRONG, REFUSED };

/* Where memory runs out this process is to end, and no other. Without /proc it is as likely as others. */
static void be_first_to_go(void)
{
	FILE *out = fopen("/proc/self/oom_score_adj", "w");

	if (!out)
		return;
	fputs("1000\n", out);
	fclose(out);
}

static _Noreturn void become_child(int out, size_t size, double seconds)
{
	static struct round round[ROUNDS];

	be_first_to_go();
	if (!rounds_run(round, size, seconds)) {
		for (int i = 0; i < ROUNDS; i++)
			if (round[i].refused)
				_exit(REFUSED);
		_exit(WRONG);
	}
	_exit(write(out, round, sizeof round) == (ssize_t)sizeof round ? DONE : WRONG);
}

/* False where the child did not come to its end. */
static bool read_rounds(int in, struct round round[ROUNDS])
{
	size_t got = 0, all = ROUNDS * sizeof *round;

	while (got < all) {
		ssize_t n = read(in, (char *)round + got, all - got);

		if (n == -1 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		got += (size_t)n;
	}
	return true;
}

static void tell(const struct round round[ROUNDS])
{
	channel_say("FIGURE|pages|%" PRIu64, round[0].pages);
	channel_say("FIGURE|page_bytes|%ld", sysconf(_SC_PAGESIZE));
	for (int i = 0; i < ROUNDS; i++) {
		channel_say("FIGURE|p50_%d|%.0f", i + 1, round[i].p50);
		channel_say("FIGURE|p99_%d|%.0f", i + 1, round[i].p99);
		channel_say("FIGURE|p999_%d|%.0f", i + 1, round[i].p999);
		channel_say("FIGURE|max_%d|%.0f", i + 1, round[i].max);
		channel_say("FIGURE|gaps_%d|%" PRIu64, i + 1, round[i].gaps);
		channel_say("FIGURE|gap_ms_%d|%.3f", i + 1, round[i].gap_ns / 1e6);
	}
}

/* Lets a child do it; false where the system has ended it. */
static bool touch(struct round round[ROUNDS], size_t size, double seconds)
{
	int fd[2], status;
	pid_t pid;
	bool whole;

	if (pipe(fd) == -1)
		bench_fail("cannot make a pipe");
	pid = fork();
	if (pid == -1)
		bench_fail("cannot start a process");
	if (pid == 0)
		become_child(fd[1], size, seconds / ROUNDS);
	close(fd[1]);
	whole = read_rounds(fd[0], round);
	close(fd[0]);
	while (waitpid(pid, &status, 0) == -1)
		if (errno != EINTR)
			bench_fail("cannot wait for a process");
	if (!whole && WIFEXITED(status) && WEXITSTATUS(status) == REFUSED)
		bench_skip("the system does not give a process %zu MB of memory", size >> 20);
	if (!whole && !(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL))
		bench_wrong("new memory is not there, or has not what was written to it");
	return whole;
}

int main(int argc, char **argv)
{
	static struct round first[ROUNDS], more[ROUNDS];
	struct bench b;
	size_t size;
	bool whole;
	uint64_t count;

	bench_begin(&b, argc, argv, "SECONDS KB");
	if (argc != 3)
		bench_usage();
	size = (size_t)bench_number(argv[2], "KB", LEAST_KB, MOST_KB) * 1024;
	bench_start(&b);
	whole = touch(first, size, b.seconds);
	count = whole ? ROUNDS * first[0].pages : 1;
	while (bench_tick(&b, count)) {
		double left = b.seconds - (double)(bench_clock() - b.start) / 1e9;

		if (whole && left > 0 && touch(more, size, left))
			count += ROUNDS * more[0].pages;
	}
	channel_say("FIGURE|killed|%d", !whole);
	if (whole)
		tell(first);
	bench_end(&b);
}
