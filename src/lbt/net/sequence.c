// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sequence.c - latency of datagrams: one operation sends a number and waits until it comes back.
 * If the datagram is lost, the wait ends after a second. Losses are counted separately and are not
 * operations, but their time counts.
 */
#include "lbt/net/tests.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <sys/time.h>
#include <unistd.h>

enum { FIRST_TRIES = 3 };
static const int64_t SECOND_NS = 1000000000;

struct sequence {
	const struct peer *peer;
	int fd;
	uint32_t last;
	uint64_t sent, lost;
};

/* Opens a socket that receives datagrams from the peer's port only. */
static int open_socket(const struct peer *p)
{
	const struct timeval second = { .tv_sec = 1 };
	union address a;
	socklen_t size = sizeof a;
	int fd;

	if (getpeername(p->wire.fd, &a.any, &size) == -1)
		peer_lost(p, -1);
	tcp_set_port(&a, p->udp_port);
	fd = socket(a.any.sa_family, SOCK_DGRAM, 0);
	if (fd == -1 || connect(fd, &a.any, size) == -1
			|| setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second) == -1)
		bench_fail("cannot make a UDP socket for %s", p->name);
	return fd;
}

/* Number 0 is reserved for the end of the test. */
static uint32_t next_number(struct sequence *s)
{
	if (++s->last == 0)
		s->last = 1;
	return htonl(s->last);
}

/* Late answers to earlier numbers prolong the wait, by a second at most. */
static bool is_answered(const struct sequence *s, uint32_t number)
{
	int64_t stop = 0;

	for (;;) {
		uint32_t in[2] = { 0 };
		const ssize_t n = recv(s->fd, in, sizeof in, 0);
		if (n == DATAGRAM && in[0] == number)
			return true;
		if (n == -1 && errno == EAGAIN)
			return false;
		if (n == -1 && errno != EINTR)
			peer_lost(s->peer, -1);
		if (stop == 0)
			stop = bench_clock() + SECOND_NS;
		else if (bench_clock() > stop)
			return false;
	}
}

static bool round_trip(struct sequence *s)
{
	const uint32_t number = next_number(s);

	if (send(s->fd, &number, sizeof number, 0) != DATAGRAM)
		peer_lost(s->peer, -1);
	s->sent++;
	return is_answered(s, number);
}

static void first_round_trip(struct sequence *s)
{
	for (int tries = 0; tries < FIRST_TRIES; tries++)
		if (round_trip(s))
			return;
	errno = 0;
	bench_fail("no datagram has come back from %s, UDP port %d: a firewall may drop them",
		s->peer->name, s->peer->udp_port);
}

/*
 * True while there is time for another datagram. The clock is read now, because the harness would
 * read it only after the rest of a batch, whose size it chose for fast operations.
 */
static bool lose_one(struct sequence *s, struct bench *b)
{
	const uint64_t done = b->count + b->batch - b->left;

	s->lost++;
	if (wire_has_news(&s->peer->wire))
		peer_lost(s->peer, 0);
	b->batch = b->left = 1;
	return bench_tick(b, done);
}

static void measure(struct sequence *s, struct bench *b)
{
	while (bench_next(b))
		while (!round_trip(s))
			if (!lose_one(s, b))
				return;
}

/* Wakes the other side. If this datagram is lost, the other side notices the end by itself. */
static void say_goodbye(const struct sequence *s, struct report *r)
{
	const uint32_t number = 0;

	peer_stop(s->peer);
	(void)!send(s->fd, &number, sizeof number, 0);
	peer_report(s->peer, r);
}

_Noreturn void test_datagrams(struct bench *b, struct peer *p)
{
	struct sequence s = { .peer = p, .fd = open_socket(p) };
	struct report r;

	first_round_trip(&s);
	s.lost = 0;
	measure(&s, b);
	say_goodbye(&s, &r);
	if (r.reads > s.sent || r.reads < b->count)
		bench_wrong("%" PRIu64 " datagrams were sent, %" PRIu64 " came back, and %" PRIu64
			" were answered", s.sent, b->count, r.reads);
	errno = 0;
	if (b->count == 0)
		bench_fail("no datagram has come back in time, %" PRIu64 " were lost", s.lost);
	channel_say("FIGURE|lost|%" PRIu64, s.lost);
	peer_leave(p, b, &r);
	bench_end(b);
}
