// SPDX-License-Identifier: GPL-2.0-or-later
/* rounds.c - the rounds of truth-memory. */
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE
#endif
#include "truth/truth-memory/rounds.h"

#include "bench.h"
#include "spread.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

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
static void touch(struct round *r, struct spread *s, char *at, size_t pages, size_t page, int64_t until)
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
	touch(r, &times, at, pages, page, seconds > 0 ? bench_clock() + (int64_t)(seconds * 1e9) : 0);
	r->pages = times.count;
	r->p50 = spread_at(&times, 0.5);
	r->p99 = spread_at(&times, 0.99);
	r->p999 = spread_at(&times, 0.999);
	r->max = (double)times.greatest;
	good = is_there(at, r->pages, page);
	return munmap(at, pages * page) == 0 && good;
}

bool rounds_run(struct round round[ROUNDS], size_t size, double seconds)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = size / page;

	for (int i = 0; i < ROUNDS; i++) {
		round[i] = (struct round){ 0 };
		if (!run_round(&round[i], pages, page, i == 0 ? seconds : 0))
			return false;
		pages = round[0].pages;
	}
	return true;
}
