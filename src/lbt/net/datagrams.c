// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * datagrams.c - sends back each numbered datagram that comes from the peer, and no other. The
 * peer is the port of its machine from which the first one came.
 */
#include "lbt/net/datagrams.h"
#include "lbt/net/tcp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <sys/time.h>

/*
 * When the datagram that announces the end of the connection is lost, the end is noticed after
 * LOOK_MS without a datagram, or after LOOK_AFTER datagrams, however slowly they come. A number may
 * be MOST_STEP larger than the one before: what is lost between takes the peer a second each.
 */
enum { LOOK_MS = 200, LOOK_AFTER = 32, MOST_STEP = 65535 };

/* The port and the last number of the peer; port 0: nothing has come yet. */
struct other {
	union address host;
	int port;
	uint32_t last;
};

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

/*
 * Notes and accepts a datagram that the peer sends in a test. Its numbers grow, so one that was
 * answered is not answered again: else a forged datagram could make two servers answer each other
 * without end.
 */
static bool is_next(struct other *o, const union address *from, const char in[DATAGRAM])
{
	uint32_t number;

	memcpy(&number, in, sizeof number);
	number = ntohl(number);
	if (number == 0 || !tcp_same_host(from, &o->host))
		return false;
	if (o->port != 0 && (o->port != tcp_port(from) || number == o->last
			|| number - o->last > MOST_STEP))
		return false;
	o->port = tcp_port(from);
	o->last = number;
	return true;
}

bool datagrams_answer(int fd, const struct wire *connection, struct report *r)
{
	struct other peer = { .port = 0 };
	union address from;
	socklen_t size = sizeof peer.host;
	char in[DATAGRAM + 1];
	int quiet = 0;

	if (getpeername(connection->fd, &peer.host.any, &size) == -1)
		return false;
	while (quiet < connection->patience * 1000 / LOOK_MS) {
		ssize_t n;
		size = sizeof from;
		n = recvfrom(fd, in, sizeof in, 0, &from.any, &size);
		if (n == DATAGRAM && is_next(&peer, &from, in)) {
			/* An answer that cannot be sent counts as lost. */
			(void)!sendto(fd, in, DATAGRAM, 0, &from.any, size);
			r->octets += DATAGRAM;
			quiet = 0;
			if (++r->reads % LOOK_AFTER != 0)
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
