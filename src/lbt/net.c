// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * net - the network of this machine, or between two machines: throughput and latency of TCP,
 * latency of UDP, and for comparison throughput and latency of a pair of sockets. Without HOST
 * both ends are processes on this machine. --serve is the side of the other machine; --check only
 * tests whether it answers.
 *
 *	tcp, unix			one operation sends 8,192 bytes; the result is
 *					MiB per second
 *	tcp-latency, unix-latency	one operation is a round trip of a byte
 *	udp-latency			one operation is a round trip of a datagram
 *
 * Each test starts with a peer that has been greeted, and ends the program.
 */
#include "bench.h"
#include "lbt/net/peer.h"
#include "lbt/net/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/*
 * --- throughput: blocks of 8,192 bytes, with 2,048 of them as the unit, as in ttcp. The result
 * counts what has arrived, until the receiver has said so.
 */

/* On a slow line, this many blocks take a second or two. */
enum { BLOCKS_A_LOOK = 32, MIB = 1048576 };

static unsigned send_block(const struct peer *p, const unsigned char block[BLOCK])
{
	const int calls = wire_write(&p->wire, block, BLOCK);

	if (calls == -1)
		peer_lost(p, -1);
	return (unsigned)calls;
}

static _Noreturn void test_stream(struct bench *b, struct peer *p)
{
	static unsigned char block[BLOCK];
	uint64_t blocks = 0, calls = 0;
	char line[LINE];
	struct report r;

	b->unit = "MiBps";
	protocol_fill(block);
	send_block(p, block);
	peer_hear(p, "ready", line, GREETING_SECONDS);
	bench_start(b);
	do {
		for (int i = 0; i < BLOCKS_A_LOOK; i++)
			calls += send_block(p, block);
		blocks += BLOCKS_A_LOOK;
	} while (bench_tick(b, blocks));
	peer_stop(p);
	peer_report(p, &r);
	bench_tick(b, blocks);
	if (r.bytes != blocks * BLOCK)
		bench_wrong("%" PRIu64 " bytes were sent and %" PRIu64 " have arrived",
			blocks * BLOCK, r.bytes);
	channel_say("FIGURE|calls|%" PRIu64, calls);
	channel_say("FIGURE|reads|%" PRIu64, r.reads);
	peer_leave(p, b, &r);
	bench_end_figure(b, (double)r.bytes / MIB / ((double)(b->now - b->start) / 1e9));
}

/* --- latency of a stream: one operation sends one byte and waits until it comes back */

static void round_trip_of_byte(const struct peer *p, unsigned char sent)
{
	unsigned char got;
	ssize_t n;

	if (wire_write(&p->wire, &sent, 1) == -1)
		peer_lost(p, -1);
	n = wire_read(&p->wire, &got, 1);
	if (n <= 0)
		peer_lost(p, n);
	if (got != sent)
		bench_wrong("byte %d came back as %d", sent, got);
}

static _Noreturn void test_echo(struct bench *b, struct peer *p)
{
	unsigned char next = 0;
	struct report r;

	tcp_no_delay(p->wire.fd);
	round_trip_of_byte(p, next);
	while (bench_next(b))
		round_trip_of_byte(p, ++next);
	peer_stop(p);
	peer_report(p, &r);
	if (r.bytes != b->count)
		bench_wrong("%llu bytes were sent and %llu have arrived",
			(unsigned long long)b->count, (unsigned long long)r.bytes);
	peer_leave(p, b, &r);
	bench_end(b);
}

/*
 * --- latency of datagrams: one operation sends a number and waits until it comes back. If the
 * datagram is lost, the wait ends after a second. Losses are counted separately and are not
 * operations, but their time counts.
 */

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

static _Noreturn void test_datagrams(struct bench *b, struct peer *p)
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

/* --- the program */

static const char USAGE[] = "SECONDS tcp|tcp-latency|udp-latency|unix|unix-latency [HOST[:PORT]]\n"
	"       net --serve [--port P] [--bind ADDR]\n       net --check HOST[:PORT]";

static const struct test {
	const char *name;
	enum task task;
	bool by_tcp;
	void (*run)(struct bench *b, struct peer *p);
} TESTS[] = {
	{ "tcp", STREAM, true, test_stream }, { "tcp-latency", ECHO, true, test_echo },
	{ "udp-latency", DATAGRAMS, true, test_datagrams }, { "unix", STREAM, false, test_stream },
	{ "unix-latency", ECHO, false, test_echo },
};

static const struct test *find_test(const char *name)
{
	for (size_t i = 0; i < sizeof TESTS / sizeof *TESTS; i++)
		if (strcmp(name, TESTS[i].name) == 0)
			return &TESTS[i];
	bench_usage();
}

static struct place place_from(const char *text)
{
	struct place place;

	if (!tcp_place(text, &place))
		bench_usage();
	return place;
}

static int serve(char **options)
{
	const char *bind_to = "127.0.0.1";
	int port = DEFAULT_PORT;

	for (; options[0]; options += 2) {
		if (!options[1])
			bench_usage();
		if (strcmp(options[0], "--port") == 0)
			port = (int)bench_number(options[1], "--port", 0, 65535);
		else if (strcmp(options[0], "--bind") == 0)
			bind_to = options[1];
		else
			bench_usage();
	}
	return server_run(bind_to, port);
}

static int check(char **words)
{
	const struct place place = place_from(words[0] && !words[1] ? words[0] : "");
	struct peer peer;

	peer_there(&peer, &place);
	peer_greet(&peer, CHECK, 1);
	return printf("net: %s serves\n", peer.name) > 0 && fflush(stdout) == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
	const bool serves = argc > 1 && strcmp(argv[1], "--serve") == 0;
	const bool checks = argc > 1 && strcmp(argv[1], "--check") == 0;
	const struct test *test;
	struct place place;
	struct peer peer;
	struct bench b;

	signal(SIGPIPE, SIG_IGN);
	if (serves || checks) {
		bench_begin_for(&b, argv[0], "1", USAGE);
		return serves ? serve(argv + 2) : check(argv + 2);
	}
	bench_begin(&b, argc, argv, USAGE);
	if (argc < 3 || argc > 4)
		bench_usage();
	test = find_test(argv[2]);
	if (argc == 4 && !test->by_tcp)
		bench_usage();
	if (argc == 4) {
		place = place_from(argv[3]);
		peer_there(&peer, &place);
	} else {
		peer_here(&peer, test->by_tcp);
	}
	peer_greet(&peer, test->task, b.seconds);
	test->run(&b, &peer);
}
