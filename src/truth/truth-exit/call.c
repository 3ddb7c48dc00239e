// SPDX-License-Identifier: GPL-2.0-or-later
/* call.c - call.h. The C library keeps no answer of getppid, so each call reaches the kernel. */
#if defined(__linux__)
#define _DEFAULT_SOURCE
#elif defined(__APPLE__)
#define _DARWIN_C_SOURCE
#elif defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__)
#undef _POSIX_C_SOURCE
#endif
#include "truth/truth-exit/call.h"

#include "bench.h"
#include "truth/shared/alive.h"
#include "spread.h"

#include <sys/mman.h>
#include <unistd.h>

enum { REPEATS = 100, FEWEST = 10, PAGES = 256 };

double call_null(int64_t ns)
{
	const int64_t end = bench_clock() + ns;
	int64_t best = INT64_MAX;

	for (int tries = 0; tries < FEWEST || bench_clock() < end; tries++) {
		alive_or_leave();
		const int64_t begin = bench_clock();
		int64_t took;
		for (int i = 0; i < REPEATS; i++)
			getppid();
		took = bench_clock() - begin;
		best = took < best ? took : best;
	}
	return (double)best / REPEATS;
}

#if defined(MADV_NOHUGEPAGE)
static void keep_small(char *map, size_t bytes)
{
	madvise(map, bytes, MADV_NOHUGEPAGE);
}
#else
static void keep_small(char *map, size_t bytes)
{
	(void)map;
	(void)bytes;
}
#endif

/* Each first write to a page takes the time of the clock, too. */
double call_fault(int64_t ns)
{
	static struct spread pages;
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = PAGES * page;
	const int64_t end = bench_clock() + ns;

	pages = (struct spread){ 0 };
	while (bench_clock() < end || pages.count < FEWEST) {
		alive_or_leave();
		char *const map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
		if (map == MAP_FAILED)
			return 0;
		keep_small(map, bytes);
		for (size_t at = 0; at < bytes; at += page) {
			const int64_t begin = bench_clock();
			*(volatile char *)(map + at) = 1;
			spread_add(&pages, (uint64_t)(bench_clock() - begin));
		}
		munmap(map, bytes);
	}
	return spread_at(&pages, 0.5);
}
