// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tcp - one operation is a request of 64 bytes and its answer of 1,024, on the next of 32 connections of
 * 127.0.0.1. The client waits for each answer; the server, another thread, waits for all connections at
 * once. No network card takes part, and neither thread stays on a CPU of its own.
 */
#include "bench.h"
#include "modern/shared/ready.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* --- connections of a program with itself, and messages over them */

/* PATIENCE: seconds for a connection, which a firewall may let nobody hear of. */
enum { PATIENCE = 5 };

/* A limit of this process is its failure; without an address or permission nobody can measure. */
static _Noreturn void cannot(const char *what)
{
	if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)
		bench_fail("cannot %s", what);
	bench_skip("cannot %s: %s", what, strerror(errno));
}

static int make_socket(void)
{
	const int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd == -1)
		cannot("make a socket");
	return fd;
}

/* The system chooses the port. */
static int listen_here(struct sockaddr_in *here)
{
	socklen_t size = sizeof *here;
	const int fd = make_socket();

	*here = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	if (bind(fd, (struct sockaddr *)here, sizeof *here) == -1)
		cannot("have the address 127.0.0.1");
	if (listen(fd, 1) == -1 || getsockname(fd, (struct sockaddr *)here, &size) == -1)
		cannot("listen on 127.0.0.1");
	return fd;
}

static void set_patience(int fd, int seconds)
{
	const struct timeval limit = { .tv_sec = seconds };

	if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == -1)
		cannot("limit the time of a connection");
}

static int connect_to(const struct sockaddr_in *there)
{
	const int fd = make_socket();

	set_patience(fd, PATIENCE);
	if (connect(fd, (const struct sockaddr *)there, sizeof *there) == -1)
		cannot("connect to 127.0.0.1");
	set_patience(fd, 0);
	return fd;
}

/* Another process of this machine may connect as well: only the client's own port will do. */
static int accept_from(int listening, int client)
{
	struct sockaddr_in mine, peer;

	for (;;) {
		socklen_t size = sizeof mine, peer_size = sizeof peer;
		const int fd = accept(listening, (struct sockaddr *)&peer, &peer_size);

		if (fd == -1 || getsockname(client, (struct sockaddr *)&mine, &size) == -1)
			cannot("accept a connection on 127.0.0.1");
		if (peer.sin_port == mine.sin_port)
			return fd;
		close(fd);
	}
}

static void send_at_once(int fd)
{
	const int yes = 1;

	if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) == -1)
		cannot("set TCP_NODELAY");
}

/* A connection that is reset when the program ends does not stay for a minute in the kernel's table. */
static void end_by_reset(int fd)
{
	const struct linger none = { .l_onoff = 1, .l_linger = 0 };

	if (setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof none) == -1)
		cannot("choose how a connection ends");
}

/*
 * Makes connections on 127.0.0.1 that send at once (TCP_NODELAY). Nothing listens any more when this
 * returns. A system without sockets or without this address ends the program with SKIP.
 */
static void loopback_connect(int client[], int server[], int connections)
{
	struct sockaddr_in here;
	const int listening = listen_here(&here);

	signal(SIGPIPE, SIG_IGN);
	for (int i = 0; i < connections; i++) {
		client[i] = connect_to(&here);
		server[i] = accept_from(listening, client[i]);
		send_at_once(client[i]);
		send_at_once(server[i]);
		end_by_reset(client[i]);
	}
	close(listening);
}

/* Sends or takes a message as a whole; anything else ends the program with ERROR. */
static void loopback_send(int fd, const void *message, size_t bytes)
{
	const char *rest = message;

	for (size_t sent = 0; sent < bytes;) {
		const ssize_t n = send(fd, rest + sent, bytes - sent, 0);

		if (n == -1 && errno != EINTR)
			bench_fail("cannot send to 127.0.0.1");
		sent += n > 0 ? (size_t)n : 0;
	}
}

static void loopback_take(int fd, void *message, size_t bytes)
{
	char *to = message;

	for (size_t taken = 0; taken < bytes;) {
		const ssize_t n = recv(fd, to + taken, bytes - taken, MSG_WAITALL);

		if (n == 0)
			bench_wrong("a connection of 127.0.0.1 has ended");
		if (n == -1 && errno != EINTR)
			bench_fail("cannot receive from 127.0.0.1");
		taken += n > 0 ? (size_t)n : 0;
	}
}

/*
 * --- the server, a thread that waits for requests on all connections and answers them. A request has a
 * number at its beginning, an answer the next one at both of its ends. The numbers go up by one from
 * request to request, over all connections in turn; NO_REQUEST ends the server.
 */

enum { CONNECTIONS = 32, NO_REQUEST = 0 };
/* 64 and 1,024 bytes, as words of 8. */
enum { REQUEST = 8, ANSWER = 128, LAST = ANSWER - 1 };

struct server {
	int fds[CONNECTIONS];		/* set by the caller */
	struct ready ready;
	uint64_t expected[CONNECTIONS];	/* the number of the next request */
	uint64_t served;
	pthread_t thread;
};

/* False when this was no request, but the end. */
static bool answer(struct server *s, int which)
{
	uint64_t request[REQUEST], reply[ANSWER] = { 0 };

	loopback_take(s->fds[which], request, sizeof request);
	if (request[0] == NO_REQUEST)
		return false;
	if (request[0] != s->expected[which])
		bench_wrong("request %" PRIu64 " came instead of %" PRIu64, request[0], s->expected[which]);
	reply[0] = reply[LAST] = request[0] + 1;
	loopback_send(s->fds[which], reply, sizeof reply);
	s->expected[which] += CONNECTIONS;
	s->served++;
	return true;
}

static void *serve(void *argument)
{
	struct server *s = argument;
	int which[CONNECTIONS];

	for (;;) {
		const int there = ready_wait(&s->ready, which, CONNECTIONS);

		for (int i = 0; i < there; i++)
			if (!answer(s, which[i]))
				return NULL;
	}
}

static void server_start(struct server *s)
{
	for (int i = 0; i < CONNECTIONS; i++)
		s->expected[i] = (uint64_t)i + 1;
	ready_open(&s->ready, s->fds, CONNECTIONS);
	errno = pthread_create(&s->thread, NULL, serve, s);
	if (errno != 0)
		bench_fail("cannot make a thread");
}

/* Waits until the server has ended, after a NO_REQUEST. */
static void server_join(struct server *s)
{
	errno = pthread_join(s->thread, NULL);
	if (errno != 0)
		bench_fail("cannot wait for a thread");
}

/* --- the client */

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
