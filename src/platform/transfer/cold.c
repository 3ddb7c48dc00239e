// SPDX-License-Identifier: GPL-2.0-or-later
/* cold.c - see cold.h. */
#define _FILE_OFFSET_BITS 64
#if defined(__linux__)
#define _DEFAULT_SOURCE
#endif
#include "platform/transfer/cold.h"

#include <fcntl.h>

/* Errors are ignored, because cold_bytes finds out what stayed in the cache. */
#if defined(POSIX_FADV_DONTNEED)
void cold_forget(int fd)
{
	(void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
}
#else
void cold_forget(int fd)
{
	(void)fd;
}
#endif

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>

/* The file is mapped in pieces, because a 32-bit address space has no room for a large one. */
enum { MAPPED = 64 << 20, SMALLEST_PAGE = 4096 };

static int64_t cold_in_piece(int fd, uint64_t from, size_t size, size_t page)
{
	static unsigned char there[MAPPED / SMALLEST_PAGE];
	void *const map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, (off_t)from);
	int64_t cold = -1;

	if (map == MAP_FAILED)
		return -1;
	if (mincore(map, size, there) == 0) {
		cold = 0;
		for (size_t at = 0; at < size; at += page)
			if (!(there[at / page] & 1))
				cold += (int64_t)(size - at < page ? size - at : page);
	}
	return munmap(map, size) == 0 ? cold : -1;
}

int64_t cold_bytes(int fd, uint64_t size)
{
	const long page = sysconf(_SC_PAGESIZE);
	int64_t cold = 0;

	if (page < SMALLEST_PAGE)
		return -1;
	for (uint64_t from = 0; from < size; from += MAPPED) {
		const uint64_t n = size - from < MAPPED ? size - from : MAPPED;
		const int64_t found = cold_in_piece(fd, from, (size_t)n, (size_t)page);

		if (found < 0)
			return -1;
		cold += found;
	}
	return cold;
}
#else
int64_t cold_bytes(int fd, uint64_t size)
{
	(void)fd;
	(void)size;
	return -1;
}
#endif
