// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dread84 - one unit opens a file of 256 blocks, reads 512 bytes at each of 256 random places, and
 * removes the file. Writing the next file is not measured. The places are the same on every
 * machine. The file is in the page cache, so no disk is measured.
 */
#include "bench.h"
#include "byte1984/shared/file.h"

#include <inttypes.h>
#include <unistd.h>

enum { READS = 256 };

static long place[READS];

/* This is Lehmer's generator with the multiplier 48271, seeded with 1. */
static void choose_places(void)
{
	uint64_t number = 1;

	for (int i = 0; i < READS; i++) {
		number = number * 48271 % 2147483647;
		place[i] = (long)(number % (SIZE - BLOCK + 1));
	}
}

/* Adds up the first and last bytes of all blocks that are read. */
static long known_sum(void)
{
	long sum = 0;

	for (int i = 0; i < READS; i++)
		sum += file_byte(place[i]) + file_byte(place[i] + BLOCK - 1);
	return sum;
}

static long unit(void)
{
	static unsigned char in[BLOCK];
	const int fd = file_open();
	long sum = 0;

	for (int i = 0; i < READS; i++) {
		if (lseek(fd, place[i], SEEK_SET) == -1 || read(fd, in, BLOCK) != BLOCK)
			bench_fail("cannot read at byte %ld of a file in '%.300s'", place[i], file_folder());
		sum += in[0] + in[BLOCK - 1];
	}
	close(fd);
	file_remove();
	return sum;
}

int main(int argc, char **argv)
{
	int64_t spent = 0;
	struct bench b;
	long known;

	bench_begin(&b, argc, argv, "SECONDS [DIRECTORY]");
	b.unit = BENCH_SECONDS;
	if (argc > 3)
		bench_usage();
	file_prepare("dread84", argc > 2 ? argv[2] : ".");
	choose_places();
	known = known_sum();
	file_write();
	file_remove();
	while (bench_next(&b)) {
		int64_t before;
		long sum;

		file_write();
		before = bench_clock();
		sum = unit();
		spent += bench_clock() - before;
		if (sum != known)
			bench_wrong("the bytes read from a file in '%.300s' add up to %ld, not to %ld", file_folder(), sum, known);
	}
	bench_end_figure(&b, (double)spent / 1e9 / (double)b.count);
}
