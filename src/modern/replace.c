// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * replace - one operation replaces a file of 16 KB so that a loss of power leaves the old or the new
 * one, as editors and package managers do: it writes a new file, waits until the medium has it,
 * renames it over the old one, and waits until the medium has the directory.
 */
#include "bench.h"
#include "mix.h"
#include "modern/shared/medium.h"
#include "modern/shared/tail.h"
#include "tidy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIZE = 16384, WORDS = SIZE / 8 };
static const char NAME[] = "replace.data", NEW[] = "replace.new";
static const uint64_t SEED = 6;
static uint64_t content[WORDS];
static struct spread times;

static void remove_files(void)
{
	unlink(NEW);
	unlink(NAME);
}

static void replace(int directory)
{
	const int fd = open(NEW, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd == -1)
		bench_fail("cannot make a file in the work directory");
	medium_write(fd, content, SIZE, 0);
	medium_keep(fd);
	if (close(fd) == -1)
		bench_fail("cannot close a file in the work directory");
	if (rename(NEW, NAME) == -1)
		bench_fail("cannot rename a file in the work directory");
	medium_keep(directory);
}

/* The file is the last one that was written, and the new one has its name. */
static void prove(void)
{
	static uint64_t found[WORDS + 1];
	const int fd = open(NAME, O_RDONLY | O_CLOEXEC);
	struct stat s;

	if (fd == -1)
		bench_fail("cannot open the replaced file");
	if (read(fd, found, sizeof found) != SIZE || memcmp(found, content, SIZE) != 0)
		bench_wrong("the file is not the last one that was written");
	if (lstat(NEW, &s) == 0)
		bench_wrong("the new file still has a name of its own");
	errno = 0;
}

int main(int argc, char **argv)
{
	struct bench b;
	uint64_t state = SEED;
	int directory;

	bench_begin(&b, argc, argv, NULL);
	medium_needed(".");
	directory = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (directory == -1)
		bench_fail("cannot open the work directory");
	bench_tidy(remove_files);
	for (int i = 0; i < WORDS; i++)
		content[i] = mix_next(&state);
	replace(directory);
	while (bench_next(&b)) {
		const int64_t start = bench_clock();

		content[0] = content[WORDS - 1] = mix_next(&state);
		replace(directory);
		spread_add(&times, (uint64_t)(bench_clock() - start));
	}
	bench_stop(&b);
	prove();
	tail_say(&times);
	bench_end(&b);
}
