// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * listener.c - finds the address to listen at, and prints it when there is all to serve there:
 *
 *	net: listening on 127.0.0.1 port 7117
 */
#include "lbt/net/listener.h"
#include "lbt/net/tcp.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

enum { BACKLOG = 128 };

static int complain(const char *bind_to, int port, const char *why, const char *remedy)
{
	fprintf(stderr, "net: cannot listen on '%s' port %d: %s\n", bind_to, port, why);
	if (remedy)
		fprintf(stderr, "net: %s\n", remedy);
	return -1;
}

static const char *remedy_for(int cause)
{
	if (cause == EADDRINUSE)
		return "another program has this port, perhaps another 'net --serve': end it, or "
			"choose another by --port and call HOST:PORT from the other machine";
	if (cause == EADDRNOTAVAIL)
		return "--bind takes an address of this machine, or 0.0.0.0 for all of them";
	if (cause == EACCES)
		return "ports below 1024 are for root: choose another by --port";
	return NULL;
}

/* The port can be taken even if connections to it have just ended. */
static bool listens(int fd, const struct addrinfo *a)
{
	const int on = 1;

	return setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0
		&& bind(fd, a->ai_addr, a->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0
		&& fcntl(fd, F_SETFL, O_NONBLOCK) == 0;
}

int listener_open(const char *bind_to, int port)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE };
	struct addrinfo *found;
	char service[8];
	int trouble, fd;

	snprintf(service, sizeof service, "%d", port);
	trouble = getaddrinfo(bind_to, service, &hints, &found);
	if (trouble != 0)
		return complain(bind_to, port, gai_strerror(trouble), remedy_for(EADDRNOTAVAIL));
	fd = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
	if (fd == -1 || fd >= FD_SETSIZE || !listens(fd, found)) {
		const int cause = errno;
		if (fd != -1)
			close(fd);
		fd = complain(bind_to, port, strerror(cause), remedy_for(cause));
	}
	freeaddrinfo(found);
	return fd;
}

bool listener_say(int listener)
{
	char name[ADDRESS];
	union address a;
	socklen_t size = sizeof a;

	if (getsockname(listener, &a.any, &size) == -1)
		return false;
	tcp_name(&a, size, name);
	return printf("net: listening on %s port %d\n", name, tcp_port(&a)) > 0
		&& fflush(stdout) == 0;
}
