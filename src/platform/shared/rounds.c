// SPDX-License-Identifier: GPL-2.0-or-later
/* rounds.c - see rounds.h. */
#include "platform/shared/rounds.h"

#include "platform/shared/bytes.h"
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * --- the input. A file that does not fit in memory is refused before it is read: a program that
 * swaps measures a disk.
 */
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
		bench_fail("'%s' is not a regular file", in->name);
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

/* --- rounds */

static const double NS = 1e9, MB = 1e6, FIRST_PART = 1.0 / 3;
/*
 * In nanoseconds: STEP is the time between two looks of the harness; passes shorter than SHORT are
 * timed several at once.
 */
static const int64_t STEP = 10000000, SHORT = 10000;

struct direction {
	rounds_pass *pass;
	void *state, *to;
	const void *from;
	size_t room, size, written;
	uint64_t passes, together;	/* so far; between two looks at the clock */
	int64_t now;
	double fastest;			/* nanoseconds of the fastest pass */
};

/*
 * Times one pass, or so many that the clock has moved on and the cost of reading it does not
 * matter.
 */
static void timed(struct direction *d)
{
	const int64_t before = bench_clock();
	uint64_t done = 0;
	double each;

	do {
		for (uint64_t i = 0; i < d->together; i++)
			d->written = d->pass(d->state, d->to, d->room, d->from, d->size);
		done += d->together;
		d->now = bench_clock();
	} while (d->now <= before);
	each = (double)(d->now - before) / (double)done;
	if (d->passes == 0 || each < d->fastest)
		d->fastest = each;
	if (d->now - before < SHORT)
		d->together *= 2;
	d->passes += done;
}

static void until(struct direction *d, int64_t stop)
{
	do
		timed(d);
	while (d->now < stop);
}

static void go_there(struct direction *d, struct bench *b)
{
	do
		until(d, b->stop - b->now < STEP ? b->stop : b->now + STEP);
	while (bench_tick(b, d->passes));
}

/*
 * Returns passes a second. The harness does not see this direction: its result is that of the
 * first.
 */
static double go_back(struct direction *d, double seconds)
{
	const int64_t start = bench_clock();

	until(d, start + (int64_t)(seconds * NS));
	return (double)d->passes / ((double)(d->now - start) / NS);
}

static void check(const struct input *in, const unsigned char *again, size_t size)
{
	size_t same = 0;

	if (size != in->size)
		bench_wrong("of %zu bytes of '%s' %zu have come back", in->size, in->name, size);
	if (memcmp(in->bytes, again, size) == 0)
		return;
	while (in->bytes[same] == again[same])
		same++;
	bench_wrong("byte %zu of '%s' is %d and has come back as %d", same, in->name,
		in->bytes[same], again[same]);
}

static void say_figures(const struct input *in, const struct direction *there,
	const struct direction *back, double rate_back)
{
	const double mb = (double)in->size / MB;

	channel_say("FIGURE|fastest|%.9g", mb / (there->fastest / NS));
	channel_say("FIGURE|decompress|%.9g|MBps", mb * rate_back);
	channel_say("FIGURE|decompress-fastest|%.9g", mb / (back->fastest / NS));
	channel_say("FIGURE|size|%zu", there->written);
	channel_say("FIGURE|input|%zu", in->size);
}

_Noreturn void rounds_measure(const struct rounds *r, const struct input *in, struct bench *b)
{
	unsigned char *const other = input_memory(in, r->room);
	unsigned char *const again = input_memory(in, in->size);
	struct direction there = { .pass = r->there, .state = r->state, .to = other,
		.room = r->room, .from = in->bytes, .size = in->size, .together = 1 };
	struct direction back = { .pass = r->back, .state = r->state, .to = again,
		.room = in->size, .from = other, .together = 1 };
	const double seconds = b->seconds;
	double rate_back;

	b->unit = "MBps";
	b->seconds = seconds * FIRST_PART;
	bench_start(b);
	/* A pass may take half an hour. */
	bench_watch();
	go_there(&there, b);
	back.size = there.written;
	rate_back = go_back(&back, seconds - b->seconds);
	bench_stop(b);
	check(in, again, back.written);
	say_figures(in, &there, &back, rate_back);
	/*
	 * bench_end would print a rate without decimals, but the highest levels reach only a few
	 * MB a second.
	 */
	bench_end_figure(b, (double)b->count * (double)in->size / MB
		/ ((double)(b->now - b->start) / NS));
}
