// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * datagrams.c - sends back each numbered datagram that comes from the peer's machine, and no
 * other.
 */
#include "lbt/net/datagrams.h"
#include "lbt/net/tcp.h"

#include <errno.h>
#include <string.h>
#include <sys/time.h>

/*
 * When the datagram that announces the end of the connection is lost, the end is noticed after
 * this time.
 */
enum { LOOK_MS = 200 };

int datagrams_open(int connection, int *port)
{
	const struct timeval look = { .tv_usec = LOOK_MS * 1000 };
	union address a;
	socklen_t size = sizeof a;
	int fd;

	if (getsockname(connection, &a.any, &size) == -1)
		return -1;
	fd = socket(a.any.sa_family, SOCK_DGRAM, 0);
	tcp_set_port(&a, 0);
	if (fd == -1 || bind(fd, &a.any, size) == -1 || getsockname(fd, &a.any, &size) == -1
			|| setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &look, sizeof look) == -1)
		return -1;
	*port = tcp_port(&a);
	return fd;
}

bool datagrams_answer(int fd, const struct wire *connection, struct report *r)
{
	static const char last[DATAGRAM];
	union address peer, from;
	socklen_t size = sizeof peer;
	char in[DATAGRAM + 1];
	int quiet = 0;

	if (getpeername(connection->fd, &peer.any, &size) == -1)
		return false;
	while (quiet < connection->patience * 1000 / LOOK_MS) {
		ssize_t n;
		size = sizeof from;
		n = recvfrom(fd, in, sizeof in, 0, &from.any, &size);
		if (n == DATAGRAM && tcp_same_host(&from, &peer)
				&& memcmp(in, last, DATAGRAM) != 0) {
			/* An answer that cannot be sent counts as lost. */
			(void)!sendto(fd, in, DATAGRAM, 0, &from.any, size);
			r->octets += DATAGRAM;
			r->reads++;
			quiet = 0;
			continue;
		}
		if (wire_has_news(connection))
			return true;
		if (n == -1 && errno != EAGAIN && errno != EINTR && errno != ECONNREFUSED)
			return false;
		quiet += n == -1;
	}
	errno = ETIMEDOUT;
	return false;
}
