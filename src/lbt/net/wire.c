// SPDX-License-Identifier: GPL-2.0-or-later
/* wire.c - reads and writes with a time limit; wire.h is the manual. */
#include "lbt/net/wire.h"
#include "bench.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static const int64_t SECOND_NS = 1000000000;

/* A call returns after a second at the latest, so that it can be abandoned. */
int wire_open(struct wire *w, int fd, int patience)
{
	const struct timeval tick = { .tv_sec = 1 };

	*w = (struct wire){ fd, patience };
	if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tick, sizeof tick) == -1)
		return -1;
	return setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &tick, sizeof tick);
}

static bool may_go_on(const struct wire *w, int *waited)
{
	if (errno == EINTR)
		return true;
	if (errno != EAGAIN)
		return false;
	if (channel_is_dead())
		channel_leave(1);
	errno = ETIMEDOUT;
	return ++*waited < w->patience;
}

ssize_t wire_read(const struct wire *w, void *to, size_t size)
{
	int waited = 0;
	ssize_t n;

	while ((n = read(w->fd, to, size)) == -1 && may_go_on(w, &waited))
		continue;
	return n;
}

int wire_write(const struct wire *w, const void *data, size_t size)
{
	const char *from = data;
	int waited = 0, calls = 0;

	while (size > 0) {
		const ssize_t n = write(w->fd, from, size);
		if (n == -1 && !may_go_on(w, &waited))
			return -1;
		if (n > 0) {
			from += n;
			size -= (size_t)n;
			waited = 0;
			calls++;
		}
	}
	return calls;
}

/*
 * Reads one octet at a time, since anything after the line belongs to the test. The time limit is
 * for the whole line, however slowly it arrives.
 */
enum wire_line wire_line(const struct wire *w, char text[LINE], int seconds)
{
	const struct wire tick = { w->fd, 1 };
	const int64_t stop = bench_clock() + seconds * SECOND_NS;
	size_t used = 0;
	ssize_t n;
	char c;

	do {
		text[used] = '\0';
		n = wire_read(&tick, &c, 1);
		if (n == 0)
			return WIRE_ENDED;
		if (n == -1 && errno != ETIMEDOUT)
			return WIRE_BROKEN;
		if (n == 1 && c == '\n')
			return WIRE_LINE;
		if (n == 1 && (c < ' ' || c > '~' || used == LINE - 1))
			return WIRE_NO_LINE;
		if (n == 1)
			text[used++] = c;
	} while (bench_clock() < stop);
	text[used] = '\0';
	return WIRE_LATE;
}

bool wire_has_news(const struct wire *w)
{
	struct pollfd p = { .fd = w->fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1;
}
