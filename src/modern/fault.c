// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fault - one operation is the first write to a page of fresh memory, for which the kernel finds and
 * clears a page. 4,096 pages are mapped, written to in order, and unmapped again, which is part of the
 * operations; there are no huge pages. With a number of threads, as many do this at once, each with
 * pages of its own but all in one address space.
 */
#if defined(__linux__)
#define _DEFAULT_SOURCE
#endif
#include "bench.h"
#include "modern/shared/team.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* ENOUGH: faults per cent of the pages; some systems count a few less. */
enum { PAGES = 4096, ENOUGH = 99 };
#if !defined(MAP_ANONYMOUS)
enum { MAP_ANONYMOUS = MAP_ANON };
#endif

static size_t page;

#if defined(MADV_NOHUGEPAGE)
/* A kernel that has no huge pages refuses, and then there are none. */
static void have_small_pages(char *map)
{
	madvise(map, PAGES * page, MADV_NOHUGEPAGE);
}
#else
static void have_small_pages(char *map)
{
	(void)map;
}
#endif

static char *map_fresh(void)
{
	char *map = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		bench_fail("cannot map memory");
	have_small_pages(map);
	return map;
}

/* The pages of one thread. */
struct place {
	char *map;
	size_t at;
};

static void touch_next(struct place *p)
{
	if (p->at == PAGES * page) {
		if (munmap(p->map, PAGES * page) == -1)
			bench_fail("cannot unmap memory");
		*p = (struct place){ .map = map_fresh() };
	}
	*(volatile char *)(p->map + p->at) = 1;
	p->at += page;
}

static uint64_t faults(void)
{
	struct rusage used;

	if (getrusage(RUSAGE_SELF, &used) == -1)
		bench_fail("cannot count page faults");
	return (uint64_t)used.ru_minflt;
}

/* Some sandboxes count no faults, and some systems give several pages for one. */
static void check_system(void)
{
	const uint64_t before = faults();
	struct place p = { .map = map_fresh() };
	uint64_t after;

	for (int i = 0; i < PAGES; i++)
		touch_next(&p);
	after = faults();
	munmap(p.map, PAGES * page);
	if (after - before < PAGES * ENOUGH / 100)
		bench_skip("this system counts %" PRIu64 " page faults for %d pages", after - before, PAGES);
}

static void work(struct member *m)
{
	struct place p = { .map = map_fresh() };

	team_ready();
	while (team_goes_on()) {
		touch_next(&p);
		team_count(m);
	}
}

static uint64_t measure_team(struct bench *b, int members)
{
	struct member *team = team_make(members);
	uint64_t sum;

	team_measure(b, team, members, work, false);
	sum = team_sum(team, members);
	free(team);
	return sum;
}

static uint64_t measure_single(struct bench *b)
{
	struct place p = { .map = map_fresh() };

	while (bench_next(b))
		touch_next(&p);
	return b->count;
}

int main(int argc, char **argv)
{
	struct bench b;
	uint64_t before, touched, got;
	int members = 0;

	bench_begin(&b, argc, argv, "SECONDS [THREADS]");
	if (argc > 3)
		bench_usage();
	if (argc == 3)
		members = (int)bench_number(argv[2], "THREADS", 1, TEAM_MOST);
	page = (size_t)sysconf(_SC_PAGESIZE);
	check_system();
	before = faults();
	touched = members > 0 ? measure_team(&b, members) : measure_single(&b);
	got = faults() - before;
	if (got * 100 < touched * ENOUGH)
		bench_wrong("%" PRIu64 " pages were touched, with %" PRIu64 " page faults", touched, got);
	channel_say("FIGURE|page|%zu|each", page);
	bench_end(&b);
}
