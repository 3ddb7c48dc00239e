// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * truth-cache - how much cache a program can count on: the time of a load from a random line of 16
 * KB to 512 MB, four sizes an octave, and the speed of reading some of these from first to last.
 * The result is the time for the largest size, in ns. It is not what a program with a pattern sees:
 * no prefetcher helps here.
 *
 *	FIGURE|load-65536|13.2		ns, for KB
 *	FIGURE|read-65536|11.4		GB/s
 *	FIGURE|in-small|142.8		ns for 64 MB in small pages, and in huge ones
 *	FIGURE|in-huge|131.5
 *	FIGURE|largest|524288		KB: less than 512 MB where memory is scarce
 */
#include "bench.h"
#include "modern/shared/pages.h"
#include "truth/truth-cache/walk.h"

#include <inttypes.h>
#include <stdio.h>

static const size_t KB = 1024, SMALLEST = 16, LARGEST = 512 * 1024, COMPARED = 64 * 1024, FIRST_READ = 256;
/* The memory that is available must be so many times as much. */
enum { PART = 3, QUARTERS = 4 };
/* Parts of the time: for loads, for reading, for small pages. */
static const double LOADS = 0.8, READS = 0.14, SMALL = 0.06, NS = 1e9;

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* A cgroup without a limit has a word there, or a number that is larger than all memory. */
static int64_t number_in(const char *path)
{
	FILE *const file = fopen(path, "r");
	int64_t number = -1;

	if (!file)
		return -1;
	if (fscanf(file, "%" SCNd64, &number) != 1)
		number = -1;
	fclose(file);
	return number;
}

static int64_t limit_of_system(void)
{
	FILE *const file = fopen("/proc/meminfo", "r");
	int64_t kilobytes = -1;
	char line[128];

	if (!file)
		return INT64_MAX;
	while (kilobytes == -1 && fgets(line, sizeof line, file))
		if (sscanf(line, "MemAvailable: %" SCNd64, &kilobytes) != 1)
			kilobytes = -1;
	fclose(file);
	return kilobytes == -1 ? INT64_MAX : kilobytes * 1024;
}

static int64_t limit_of_group(const char *limit_file, const char *used_file)
{
	const int64_t limit = number_in(limit_file), used = number_in(used_file);

	return limit < 0 ? INT64_MAX : used > limit ? 0 : limit - (used < 0 ? 0 : used);
}

/* Bytes that the system and the cgroup of this process have left; INT64_MAX where neither tells. */
static int64_t memory_limit(void)
{
	const int64_t second = limit_of_group("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current");
	const int64_t first = limit_of_group("/sys/fs/cgroup/memory/memory.limit_in_bytes",
		"/sys/fs/cgroup/memory/memory.usage_in_bytes");

	return least(limit_of_system(), least(first, second));
}

static size_t largest(void)
{
	const int64_t limit = memory_limit() / PART;
	size_t size = LARGEST;

	while (size > SMALLEST && (int64_t)(size * KB) > limit)
		size /= 2;
	if (size < COMPARED)
		bench_skip("it needs %zu MB of memory", COMPARED * PART / KB);
	return size;
}

/* Sizes of an octave are 4, 5, 6 and 7 fourths of its first. */
static size_t next_size(size_t size)
{
	size_t octave = SMALLEST;

	while (octave * 2 <= size)
		octave *= 2;
	return size + octave / QUARTERS;
}

static double load_all(const void *buffer, size_t most, int64_t ns)
{
	double time = 0;
	int sizes = 0;

	for (size_t size = SMALLEST; size <= most; size = next_size(size))
		sizes++;
	for (size_t size = SMALLEST; size <= most; size = next_size(size)) {
		time = walk_time(buffer, size * KB, ns / sizes);
		channel_say("FIGURE|load-%zu|%.4g", size, time);
		if (size == COMPARED)
			channel_say("FIGURE|in-huge|%.4g", time);
	}
	return time;
}

static void read_all(const void *buffer, size_t most, int64_t ns)
{
	int sizes = 0;

	for (size_t size = FIRST_READ; size <= most; size *= 2)
		sizes++;
	for (size_t size = FIRST_READ; size <= most; size *= 2)
		channel_say("FIGURE|read-%zu|%.4g", size, walk_bandwidth(buffer, size * KB, ns / sizes));
}

int main(int argc, char **argv)
{
	struct bench b;
	size_t most;
	struct pages huge, small;
	double ns, time;

	bench_begin(&b, argc, argv, NULL);
	b.unit = "ns";
	most = largest();
	huge = pages_map(most * KB, PAGES_HUGE);
	small = pages_map(COMPARED * KB, PAGES_SMALL);
	walk_fill(huge.memory, huge.bytes);
	walk_fill(small.memory, small.bytes);
	bench_start(&b);
	ns = b.seconds * NS;
	time = load_all(huge.memory, most, (int64_t)(LOADS * ns));
	bench_tick(&b, 1);
	pages_say(&huge);
	channel_say("FIGURE|in-small|%.4g", walk_time(small.memory, COMPARED * KB, (int64_t)(SMALL * ns)));
	read_all(huge.memory, most, (int64_t)(READS * ns));
	bench_tick(&b, 2);
	channel_say("FIGURE|largest|%zu", most);
	bench_end_figure(&b, time);
}
