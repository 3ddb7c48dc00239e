// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tcp - one operation is a request of 64 bytes and its answer of 1,024, on the next of 32 connections of
 * 127.0.0.1. The client waits for each answer; the server, another thread, waits for all connections at
 * once. No network card takes part, and neither thread stays on a CPU of its own.
 */
#include "bench.h"
#include "modern/tcp/loopback.h"
#include "modern/tcp/server.h"

#include <inttypes.h>

static void ask(int fd, uint64_t number)
{
	uint64_t request[REQUEST] = { number }, answer[ANSWER];

	loopback_send(fd, request, sizeof request);
	loopback_take(fd, answer, sizeof answer);
	if (answer[0] != number + 1 || answer[LAST] != number + 1)
		bench_wrong("the answer to request %" PRIu64 " has the numbers %" PRIu64 " and %" PRIu64, number,
			answer[0], answer[LAST]);
}

static void end(int fd)
{
	const uint64_t request[REQUEST] = { NO_REQUEST };

	loopback_send(fd, request, sizeof request);
}

int main(int argc, char **argv)
{
	static struct server server;
	int client[CONNECTIONS];
	uint64_t number = 0;
	struct bench b;

	bench_begin(&b, argc, argv, NULL);
	loopback_connect(client, server.fds, CONNECTIONS);
	server_start(&server);
	while (bench_next(&b)) {
		ask(client[number % CONNECTIONS], number + 1);
		number++;
	}
	end(client[0]);
	server_join(&server);
	if (server.served != b.count)
		bench_wrong("%" PRIu64 " requests were answered, of %" PRIu64, server.served, b.count);
	ready_say(&server.ready);
	bench_end(&b);
}
