// SPDX-License-Identifier: GPL-2.0-or-later
/* cache.c - see cache.h. */
#if defined(__linux__)
#define _DEFAULT_SOURCE
#endif
#include "modern/shared/cache.h"

#include <errno.h>

#if defined(__linux__)
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BYTES = 4096, MOST_PAGES = CACHE_STEP / BYTES };

/* Returns how many pages of a step are in the page cache; -1: unknown. */
static int pages_cached(int fd, uint64_t place, int pages)
{
	unsigned char in_memory[MOST_PAGES];
	void *const at = mmap(NULL, CACHE_STEP, PROT_READ, MAP_SHARED, fd, (off_t)place);
	int cached = 0;

	if (at == MAP_FAILED || mincore(at, CACHE_STEP, in_memory) == -1)
		cached = -1;
	for (int i = 0; cached != -1 && i < pages; i++)
		cached += in_memory[i] & 1;
	if (at != MAP_FAILED)
		munmap(at, CACHE_STEP);
	errno = 0;
	return cached;
}

static int pages_of_step(void)
{
	return (int)(CACHE_STEP / sysconf(_SC_PAGESIZE));
}

double cache_share(int fd, uint64_t bytes)
{
	const int pages = pages_of_step();
	double cached = 0;

	for (uint64_t place = 0; place < bytes; place += CACHE_STEP) {
		const int of_step = pages_cached(fd, place, pages);

		if (of_step == -1)
			return -1;
		cached += of_step;
	}
	return cached / (double)(bytes / CACHE_STEP) / pages;
}

bool cache_is_filled(int fd, uint64_t place)
{
	static _Alignas(BYTES) char block[BYTES];
	const int pages = pages_of_step();

	/* Pages that cannot be dropped, because they are in use, show nothing. */
	if (posix_fadvise(fd, (off_t)place, CACHE_STEP, POSIX_FADV_DONTNEED) != 0
			|| pages_cached(fd, place, pages) != 0)
		return false;
	return pread(fd, block, BYTES, (off_t)place) == BYTES && pages_cached(fd, place, pages) > 0;
}
#else
double cache_share(int fd, uint64_t bytes)
{
	(void)fd, (void)bytes;
	return -1;
}

bool cache_is_filled(int fd, uint64_t place)
{
	(void)fd, (void)place;
	return false;
}
#endif
