// SPDX-License-Identifier: GPL-2.0-or-later
/* loopback.c - connects a program with itself; loopback.h is the manual. */
#include "modern/tcp/loopback.h"

#include "channel.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

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

void loopback_connect(int client[], int server[], int connections)
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

void loopback_send(int fd, const void *message, size_t bytes)
{
	const char *rest = message;

	for (size_t sent = 0; sent < bytes;) {
		const ssize_t n = send(fd, rest + sent, bytes - sent, 0);

		if (n == -1 && errno != EINTR)
			bench_fail("cannot send to 127.0.0.1");
		sent += n > 0 ? (size_t)n : 0;
	}
}

void loopback_take(int fd, void *message, size_t bytes)
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
