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
 */
#include "bench.h"
#include "lbt/net/server.h"
#include "lbt/net/tests.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

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
