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
#include "mix.h"
#include "modern/shared/pages.h"
#include "spread.h"

#include <inttypes.h>
#include <stdio.h>

/*
 * --- loads from random lines of a part of a buffer, each of which waits for the one before:
 * the address of a load contains what the last one brought, which is a number that is known and
 * subtracted again. So nothing has to be linked, however large the part is, and no processor can
 * guess the address. Lines are drawn anew each time, so that what fits into a cache is found there
 * in proportion: the time of the bytes by which one size exceeds another follows from the times of
 * both.
 */
enum { WALK_LINE = 64 };
/* A piece is some thousand loads, so that a pause spoils one piece. */
enum { PIECE = 1024, STREAM = 1 << 18, WORD = sizeof(uint64_t), IN_LINE = WALK_LINE / WORD };

/* What stands in a line: no two lines have the same. */
static uint64_t content(uint64_t line)
{
	return (line + 1) * MIX_STEP;
}

/* Writes its number into each line. */
static void walk_fill(void *buffer, size_t bytes)
{
	uint64_t *const words = buffer;

	for (uint64_t line = 0; line < bytes / WALK_LINE; line++)
		words[line * IN_LINE] = content(line);
}

/* A generator that is quick enough to be ahead of the loads; its highest bits choose the line. */
static uint64_t draw(uint64_t *state, uint64_t lines)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint64_t)(((*state >> 32) * lines) >> 32);
}

/* Makes so many loads from the first lines, and proves each. */
static void walk_steps(const void *buffer, uint64_t lines, uint64_t steps)
{
	static uint64_t state = 1;
	const volatile uint64_t *const words = buffer;
	uint64_t wrong = 0, seen = 0;

	/* `wrong` stays 0 if all lines have their numbers. */
	for (uint64_t i = 0; i < steps; i++) {
		const uint64_t line = draw(&state, lines);
		wrong = words[line * IN_LINE + wrong] - content(line);
		seen |= wrong;
		if (wrong >= IN_LINE)
			break;
	}
	if (seen != 0)
		bench_wrong("a line has another number than was written");
}

/* Returns nanoseconds of a load: the median of pieces, over at least `ns`. */
static double walk_time(const void *buffer, size_t bytes, int64_t ns)
{
	static struct spread pieces;
	const uint64_t lines = bytes / WALK_LINE;
	const int64_t begin = bench_clock();

	pieces = (struct spread){ 0 };
	/* A quarter of the time goes before: the cache has lines of the smaller part. */
	while (bench_clock() < begin + ns / 4)
		walk_steps(buffer, lines, PIECE);
	for (int64_t before = bench_clock(), now = before; now < begin + ns || pieces.count < 3; before = now) {
		walk_steps(buffer, lines, PIECE);
		now = bench_clock();
		spread_add(&pieces, (uint64_t)(now - before));
	}
	return spread_at(&pieces, 0.5) / PIECE;
}

static uint64_t sum(const uint64_t *words, size_t count)
{
	uint64_t a = 0, b = 0, c = 0, d = 0;

	for (size_t i = 0; i < count; i += 4) {
		a += words[i];
		b += words[i + 1];
		c += words[i + 2];
		d += words[i + 3];
	}
	return a + b + c + d;
}

/* The first reading of all bytes does not count, nor do lines other than those that have numbers. */
/* Returns GB/s of reading the bytes from first to last: the median of pieces. */
static double walk_bandwidth(const void *buffer, size_t bytes, int64_t ns)
{
	static struct spread pieces;
	const size_t piece = bytes < STREAM ? bytes : STREAM;
	const uint64_t *const words = buffer;
	const uint64_t numbers = bytes / WALK_LINE;
	uint64_t all = 0;
	int64_t end;

	pieces = (struct spread){ 0 };
	for (size_t at = 0; at + piece <= bytes; at += piece)
		all += sum(words + at / WORD, piece / WORD);
	if (bytes % piece == 0 && all != MIX_STEP * (numbers * (numbers + 1) / 2))
		bench_wrong("the numbers of all lines have another sum");
	end = bench_clock() + ns;
	for (size_t at = 0; bench_clock() < end || pieces.count < 3; at = at + 2 * piece <= bytes ? at + piece : 0) {
		const int64_t begin = bench_clock();
		all += sum(words + at / WORD, piece / WORD);
		spread_add(&pieces, (uint64_t)(bench_clock() - begin));
	}
	return all == 1 ? 0 : (double)piece / spread_at(&pieces, 0.5);
}

/* --- the sizes, and the memory for them */

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
