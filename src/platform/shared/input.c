// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * input.c - see input.h. A file that does not fit in memory is refused before it is read: a
 * program that swaps measures a disk.
 */
#include "platform/shared/input.h"

#include "bench.h"
#include "platform/shared/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_SIZE = 1048000, SEED = 2024, ASCII_END = 127 };
/* These are the input, the result of the first direction, and that of the second. */
enum { BUFFERS = 3 };
/* TOUCHED is not 0, because with 0 a compiler may use untouched memory from the system. */
enum { TOUCHED = 1 };

#if defined(_SC_PHYS_PAGES)
static uint64_t memory_of_machine(void)
{
	const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

	return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
}
#else
static uint64_t memory_of_machine(void)
{
	return UINT64_MAX;
}
#endif

static void put_name(struct input *in, const char *file)
{
	size_t n = 0;

	for (; file[n] != '\0' && n < INPUT_NAME - 1; n++)
		in->name[n] = file[n];
	in->name[n] = '\0';
	for (char *c = in->name; *c != '\0'; c++)
		if (*c < ' ' || *c >= ASCII_END)
			*c = '?';
	if (file[n] != '\0')
		memcpy(in->name + INPUT_NAME - 4, "...", 4);
}

static unsigned char *memory_for(const struct input *in, size_t size)
{
	unsigned char *memory = malloc(size);

	if (!memory)
		bench_fail("no memory for %zu bytes to work on '%s'", size, in->name);
	return memory;
}

unsigned char *input_memory(const struct input *in, size_t size)
{
	unsigned char *const memory = memory_for(in, size);

	memset(memory, TOUCHED, size);
	return memory;
}

static size_t size_of(const struct input *in, const struct stat *s)
{
	uint64_t size, most = memory_of_machine();

	errno = 0;
	if (S_ISDIR(s->st_mode))
		bench_fail("'%s' is a directory and no file", in->name);
	if (!S_ISREG(s->st_mode))
		bench_fail("'%s' is no regular file", in->name);
	if (s->st_size == 0)
		bench_fail("'%s' is empty", in->name);
	size = (uint64_t)s->st_size;
	if (most > SIZE_MAX)
		most = SIZE_MAX;
	if (size > most / BUFFERS)
		bench_fail("'%s' is too large for the memory here: %d times its size is needed",
			in->name, BUFFERS);
	return (size_t)size;
}

static void read_file(struct input *in, int fd)
{
	for (size_t done = 0; done < in->size;) {
		const ssize_t n = read(fd, in->bytes + done, in->size - done);

		if (n == -1 && errno != EINTR)
			bench_fail("cannot read '%s'", in->name);
		if (n == 0) {
			errno = 0;
			bench_fail("'%s' has become shorter", in->name);
		}
		if (n > 0)
			done += (size_t)n;
	}
}

void input_read(struct input *in, const char *file)
{
	struct stat s;
	int fd;

	put_name(in, file ? file : "random bytes");
	if (!file) {
		in->size = DEFAULT_SIZE;
		in->bytes = memory_for(in, in->size);
		bytes_fill(in->bytes, in->size, SEED);
		return;
	}
	/* O_NONBLOCK avoids waiting for a writer of a named pipe. */
	fd = open(file, O_RDONLY | O_NONBLOCK);
	if (fd == -1 || fstat(fd, &s) == -1)
		bench_fail("cannot open '%s'", in->name);
	in->size = size_of(in, &s);
	in->bytes = memory_for(in, in->size);
	read_file(in, fd);
	close(fd);
}
