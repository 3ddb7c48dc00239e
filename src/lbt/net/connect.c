// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * connect.c - makes a connection to another machine within seconds, or prints why there is none
 * and what to do.
 */
#include "bench.h"
#include "lbt/net/tcp.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NAME_SECONDS = 10, CONNECT_SECONDS = 5, MOST_ADDRESSES = 4 };

/* The handler of the alarm prints this name. */
static const char *sought;

static void on_alarm(int signal)
{
	(void)signal;
	errno = 0;
	bench_fail("cannot find the address of '%s': no name server has answered within %d seconds",
		sought, NAME_SECONDS);
}

/* The library waits for name servers as long as it likes, so an alarm limits it. */
static struct addrinfo *find(const struct place *p)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *found;
	char port[8];
	int trouble;

	sought = p->host;
	snprintf(port, sizeof port, "%d", p->port);
	signal(SIGALRM, on_alarm);
	alarm(NAME_SECONDS);
	trouble = getaddrinfo(p->host, port, &hints, &found);
	alarm(0);
	signal(SIGALRM, SIG_DFL);
	if (trouble == 0)
		return found;
	if (trouble != EAI_SYSTEM)
		errno = 0;
	bench_fail("cannot find the address of '%s'%s%s", p->host, errno ? "" : ": ",
		errno ? "" : gai_strerror(trouble));
}

static bool is_connected(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	int cause;
	socklen_t size = sizeof cause;

	for (int second = 0; second < CONNECT_SECONDS; second++) {
		if (poll(&p, 1, 1000) == 1) {
			if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &cause, &size) == 0)
				errno = cause;
			return errno == 0;
		}
		if (channel_is_dead())
			channel_leave(1);
	}
	errno = ETIMEDOUT;
	return false;
}

/* Returns a descriptor, or -1 with errno. */
static int try(const struct addrinfo *a)
{
	const int fd = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
	int cause;

	if (fd == -1)
		return -1;
	errno = 0;
	if (fcntl(fd, F_SETFL, O_NONBLOCK) == 0
			&& (connect(fd, a->ai_addr, a->ai_addrlen) == 0
				|| (errno == EINPROGRESS && is_connected(fd)))
			&& fcntl(fd, F_SETFL, 0) == 0)
		return fd;
	cause = errno;
	close(fd);
	errno = cause;
	return -1;
}

static _Noreturn void complain(const struct place *p)
{
	const int cause = errno;
	char option[16] = "";

	errno = 0;
	if (p->port != DEFAULT_PORT)
		snprintf(option, sizeof option, " --port %d", p->port);
	if (cause == ECONNREFUSED)
		bench_fail("nothing listens at '%s' port %d: start 'pgms/net --serve --bind "
			"ADDR%s' there", p->host, p->port, option);
	if (cause == ETIMEDOUT)
		bench_fail("no answer from '%s' port %d within %d seconds: is the machine up, and "
			"does no firewall drop the port?", p->host, p->port, CONNECT_SECONDS);
	errno = cause;
	bench_fail("cannot reach '%s' port %d", p->host, p->port);
}

int tcp_connect(const struct place *p)
{
	struct addrinfo *const found = find(p), *a = found;
	int fd = -1;

	for (int tried = 0; a && fd == -1 && tried < MOST_ADDRESSES; tried++, a = a->ai_next)
		fd = try(a);
	if (fd == -1)
		complain(p);
	freeaddrinfo(found);
	return fd;
}
