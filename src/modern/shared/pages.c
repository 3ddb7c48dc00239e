// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pages.c - see pages.h. On Linux memory comes in huge pages where a map begins and ends with one
 * and asks for them, and /proc/self/smaps tells how much of it did.
 */
#if defined(__linux__)
#define _DEFAULT_SOURCE
#endif
#include "modern/shared/pages.h"
#include "bench.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ENOUGH = 0.9, UNKNOWN = -1;

enum pages_kind pages_kind(const char *word)
{
	if (strcmp(word, "huge") != 0 && strcmp(word, "small") != 0)
		bench_usage();
	return word[0] == 'h' ? PAGES_HUGE : PAGES_SMALL;
}

static _Noreturn void no_memory(size_t bytes)
{
	bench_skip("there is no memory for %zu MB: %s", bytes >> 20, strerror(errno));
}

#if defined(__linux__)
#include <sys/mman.h>

/*
 * A huge page has 2 MB where small ones have 4 KB, and 32 MB where they have 16 KB. Where they have
 * 64 KB it has 512 MB, which is more than a program here may use.
 */
static const size_t USUAL_HUGE = 2 << 20, MOST_HUGE = 32 << 20;

static size_t huge_page(void)
{
	FILE *in = fopen("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "r");
	size_t bytes = 0;

	if (in) {
		if (fscanf(in, "%zu", &bytes) != 1)
			bytes = 0;
		fclose(in);
	}
	return bytes >= USUAL_HUGE && bytes <= MOST_HUGE ? bytes : USUAL_HUGE;
}

/* A kernel without huge pages refuses either advice, and pages_say finds out. */
struct pages pages_map(size_t bytes, enum pages_kind kind)
{
	const size_t page = huge_page(), whole = (bytes + page - 1) / page * page;
	char *map = mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		-1, 0);

	if (map == MAP_FAILED)
		no_memory(bytes);
	map += (page - (uintptr_t)map % page) % page;
	madvise(map, whole, kind == PAGES_HUGE ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	return (struct pages){ .memory = map, .bytes = bytes, .kind = kind };
}

/*
 * The lines of a map in smaps are its addresses, as in `7f5c00000000-7f5c10000000 rw-p ...`, and
 * then its figures, among them `AnonHugePages:    262144 kB`.
 */
static double bytes_in_huge(FILE *smaps, uintptr_t from, uintptr_t to)
{
	char *line = NULL;
	size_t room = 0;
	unsigned long low, high, kilobytes;
	bool is_ours = false;
	double bytes = UNKNOWN;

	while (getline(&line, &room, smaps) != -1) {
		if (sscanf(line, "%lx-%lx ", &low, &high) == 2)
			is_ours = low < to && high > from;
		else if (is_ours && sscanf(line, "AnonHugePages: %lu", &kilobytes) == 1)
			bytes = (bytes < 0 ? 0 : bytes) + (double)kilobytes * 1024;
	}
	free(line);
	return bytes;
}

static double part_in_huge(const struct pages *p)
{
	const uintptr_t from = (uintptr_t)p->memory;
	FILE *smaps = fopen("/proc/self/smaps", "r");
	double bytes;

	if (!smaps)
		return UNKNOWN;
	bytes = bytes_in_huge(smaps, from, from + p->bytes);
	fclose(smaps);
	if (bytes < 0)
		return UNKNOWN;
	return bytes < (double)p->bytes ? bytes / (double)p->bytes : 1;
}
#else
static const size_t ALIGNED = 2 << 20;

struct pages pages_map(size_t bytes, enum pages_kind kind)
{
	void *memory;

	errno = posix_memalign(&memory, ALIGNED, bytes);
	if (errno != 0)
		no_memory(bytes);
	return (struct pages){ .memory = memory, .bytes = bytes, .kind = kind };
}

static double part_in_huge(const struct pages *p)
{
	(void)p;
	return UNKNOWN;
}
#endif

void pages_say(const struct pages *p)
{
	const double part = part_in_huge(p);

	if (part < 0) {
		channel_say("HOW|unknown-pages");
		return;
	}
	channel_say("FIGURE|huge|%.3f|each", part);
	if (p->kind == PAGES_HUGE && part < ENOUGH)
		channel_say("MISSING|huge|only %.0f %% of its memory is in huge pages",
			part * 100);
}
