// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dwrite84 - one unit creates a file, closes and opens it, writes 256 blocks of 512 bytes and
 * closes it. Removing the file before the next unit is not measured. Nothing waits for a disk:
 * this measures making a file and moving its bytes into the page cache.
 */
#include "bench.h"
#include "byte1984/shared/file.h"

#include <string.h>
#include <unistd.h>

static void check_file(void)
{
	static unsigned char in[BLOCK];
	const int fd = file_open();

	for (int i = 0; i < BLOCKS; i++)
		if (read(fd, in, BLOCK) != BLOCK || memcmp(in, file_block(i), BLOCK) != 0)
			bench_wrong("block %d of a file in '%.300s' holds other bytes than were written", i, file_folder());
	if (read(fd, in, 1) != 0)
		bench_wrong("a file in '%.300s' is too long", file_folder());
	close(fd);
}

int main(int argc, char **argv)
{
	int64_t spent = 0;
	struct bench b;

	bench_begin(&b, argc, argv, "SECONDS [DIRECTORY]");
	b.unit = BENCH_SECONDS;
	if (argc > 3)
		bench_usage();
	file_prepare("dwrite84", argc > 2 ? argv[2] : ".");
	file_write();
	while (bench_next(&b)) {
		int64_t before;

		file_remove();
		before = bench_clock();
		file_write();
		spent += bench_clock() - before;
	}
	check_file();
	bench_end_figure(&b, (double)spent / 1e9 / (double)b.count);
}
