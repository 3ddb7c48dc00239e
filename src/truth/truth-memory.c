// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * truth-memory - one operation is the first touch of a page of new memory. A process of its own maps KB of
 * memory, touches it page by page for a third of the time, gives it back, and does that with as many pages
 * twice more. Small pages are asked for. It is no test of bandwidth: a page is touched once.
 */
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "bench.h"
#include "spread.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- touches new memory page by page, in rounds that are alike */

enum { ROUNDS = 3 };

/* Times of a page in nanoseconds. A gap is a page of more than 1 ms in which nothing else ran here. */
struct round {
	uint64_t pages, gaps;
	double p50, p99, p999, max, gap_ns;
	bool refused;		/* the system did not map so much */
};

#if !defined(MAP_ANONYMOUS)
#define MAP_ANONYMOUS MAP_ANON
#endif

enum { GAP = 1000000 };

#if defined(MADV_NOHUGEPAGE)
static void want_small_pages(void *at, size_t size)
{
	madvise(at, size, MADV_NOHUGEPAGE);
}
#else
static void want_small_pages(void *at, size_t size)
{
	(void)at;
	(void)size;
}
#endif

static long preempted(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return used.ru_nivcsw + used.ru_nvcsw;
}

/* Touches up to so many pages, until the time is over; 0: there is no limit. */
static void touch_pages(struct round *r, struct spread *s, char *at, size_t pages, size_t page, int64_t until)
{
	long switches = preempted();
	int64_t before = bench_clock();

	for (size_t i = 0; i < pages; i++) {
		int64_t now;

		at[i * page] = (char)(i | 1);
		now = bench_clock();
		spread_add(s, (uint64_t)(now - before));
		if (now - before > GAP) {
			long later = preempted();

			if (later == switches) {
				r->gaps++;
				r->gap_ns += (double)(now - before);
			}
			switches = later;
			now = bench_clock();
		}
		before = now;
		if (until && now > until)
			break;
	}
}

static bool is_there(const char *at, uint64_t pages, size_t page)
{
	for (size_t i = 0; i < pages; i++)
		if (at[i * page] != (char)(i | 1))
			return false;
	return true;
}

static bool run_round(struct round *r, size_t pages, size_t page, double seconds)
{
	static struct spread times;
	char *at = mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bool good;

	if (at == MAP_FAILED) {
		r->refused = true;
		return false;
	}
	memset(&times, 0, sizeof times);
	want_small_pages(at, pages * page);
	touch_pages(r, &times, at, pages, page, seconds > 0 ? bench_clock() + (int64_t)(seconds * 1e9) : 0);
	r->pages = times.count;
	r->p50 = spread_at(&times, 0.5);
	r->p99 = spread_at(&times, 0.99);
	r->p999 = spread_at(&times, 0.999);
	r->max = (double)times.greatest;
	good = is_there(at, r->pages, page);
	return munmap(at, pages * page) == 0 && good;
}

/*
 * The first round goes on for so many seconds or until `size` bytes are touched, and the others have as
 * many pages. False where there is no such memory, or it has not what was written.
 */
static bool rounds_run(struct round round[ROUNDS], size_t size, double seconds)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = size / page;

	for (int i = 0; i < ROUNDS; i++) {
		round[i] = (struct round){ 0 };
		if (!run_round(&round[i], pages, page, i == 0 ? seconds : 0))
			return false;
		pages = (size_t)round[0].pages;
	}
	return true;
}

/* --- the process that does it */

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

static void report(const struct round round[ROUNDS])
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
		bench_wrong("new memory is missing, or differs from the data written to it");
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
		report(first);
	bench_end(&b);
}
