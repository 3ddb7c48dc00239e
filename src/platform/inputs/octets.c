// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * octets.c - if the other end has gone, a pseudo-terminal reports EIO, a socket EPIPE or
 * ECONNRESET.
 */
#include "platform/inputs/octets.h"
#include "watch.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

static void (*look_around)(void);

void octets_look(void (*look)(void))
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

ssize_t octets_read(int fd, void *to, size_t size)
{
	ssize_t n;

	while ((n = read(fd, to, size)) == -1 && retry(fd, POLLIN))
		continue;
	return n == -1 && is_gone() ? 0 : n;
}

bool octets_take(int fd, void *to, size_t size)
{
	char *at = to;

	while (size > 0) {
		const ssize_t n = octets_read(fd, at, size);
		if (n == 0)
			errno = 0;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

bool octets_write(int fd, const void *data, size_t size)
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
