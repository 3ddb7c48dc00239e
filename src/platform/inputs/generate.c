// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * generate.c - makes and checks movements and answers, and transfers them. If the other end has
 * gone, a pseudo-terminal reports EIO, a socket EPIPE or ECONNRESET.
 */
#include "platform/inputs/generate.h"
#include "bench.h"
#include "watch.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

_Static_assert(sizeof(struct movement) == 24, "a movement has gaps");

_Noreturn void movement_complain(const struct movement *m, uint64_t number)
{
	const struct movement due = movement_number(number);

	if (m->magic != due.magic)
		bench_wrong("rubbish came where movement %" PRIu64 " was expected", number);
	if (m->number != number)
		bench_wrong("movement %" PRIu64 " came where %" PRIu64 " was expected",
			m->number, number);
	if (m->dx != due.dx || m->dy != due.dy)
		bench_wrong("movement %" PRIu64 " came as %d,%d where %d,%d was expected", number,
			m->dx, m->dy, due.dx, due.dy);
	bench_wrong("movement %" PRIu64 " came with a time that is none: %" PRId64, number,
		m->emitted);
}

void answer_write(const struct answer *a, char text[ANSWER])
{
	snprintf(text, ANSWER, "{\"start_date\": %" PRId64 ", \"end_date\": %" PRId64
		", \"iterations\": %d}\n", a->start, a->end, a->iterations);
}

/* The answer is written again and compared, because scanning alone accepts other forms too. */
bool answer_read(struct answer *a, const char *text)
{
	char again[ANSWER];

	if (sscanf(text, "{\"start_date\": %" SCNd64 ", \"end_date\": %" SCNd64
			", \"iterations\": %d}", &a->start, &a->end, &a->iterations) != 3)
		return false;
	answer_write(a, again);
	return strcmp(text, again) == 0;
}

static void (*look_around)(void);

void bytes_look(void (*look)(void))
{
	look_around = look;
	bench_watch_and_interrupt();
}

/* Called after a call has failed: true if the call should be repeated. */
static bool retry(int fd, short events)
{
	struct pollfd p = { .fd = fd, .events = events };

	if (errno == EAGAIN && poll(&p, 1, -1) != -1)
		return true;
	if (errno != EINTR)
		return false;
	look_around();
	return true;
}

static bool is_gone(void)
{
	return errno == EIO || errno == EPIPE || errno == ECONNRESET;
}

ssize_t bytes_read(int fd, void *to, size_t size)
{
	ssize_t n;

	while ((n = read(fd, to, size)) == -1 && retry(fd, POLLIN))
		continue;
	return n == -1 && is_gone() ? 0 : n;
}

bool bytes_take(int fd, void *to, size_t size)
{
	char *at = to;

	while (size > 0) {
		const ssize_t n = bytes_read(fd, at, size);
		if (n == 0)
			errno = 0;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

bool bytes_write(int fd, const void *data, size_t size)
{
	const char *from = data;

	while (size > 0) {
		const ssize_t n = write(fd, from, size);
		if (n == -1 && !retry(fd, POLLOUT)) {
			errno = is_gone() ? 0 : errno;
			return false;
		}
		if (n > 0) {
			from += n;
			size -= (size_t)n;
		}
	}
	return true;
}

void reader_read(struct reader *f)
{
	ssize_t n;

	memmove(f->bytes, f->bytes + f->from, f->to - f->from);
	f->to -= f->from;
	f->from = 0;
	n = bytes_read(f->fd, f->bytes + f->to, sizeof f->bytes - f->to);
	if (n == -1)
		bench_fail("the receiver cannot read from its line");
	if (n == 0)
		_exit(LINE_ENDED);
	f->when = bench_clock();
	f->to += (size_t)n;
}

void reader_take_text(struct reader *f, char *text, size_t size)
{
	size_t used = 0;

	do {
		text[used++] = *reader_take(f, 1);
	} while (text[used - 1] != '\n' && used < size - 1);
	text[used] = '\0';
}

/* A line that has ended is readable too, but reports more than POLLIN. */
bool reader_has_more(struct reader *f)
{
	struct pollfd p = { .fd = f->fd, .events = POLLIN };

	return f->from < f->to || (poll(&p, 1, 0) == 1 && p.revents == POLLIN);
}
