// SPDX-License-Identifier: GPL-2.0-or-later
/* tcp.c - sockets and their addresses: the functions that cannot hang. */
#include "lbt/net/tcp.h"
#include "bench.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* There is room for strangers besides the one expected connection. */
enum { BACKLOG = 16 };

static bool read_port(const char *text, int *port)
{
	const size_t digits = strspn(text, "0123456789");

	if (digits == 0 || digits > 5 || text[digits] != '\0')
		return false;
	*port = atoi(text);
	return *port >= 1 && *port <= 65535;
}

/* An IPv6 address needs brackets, since its colons could not be told from that before a port. */
bool tcp_place(const char *text, struct place *p)
{
	const bool brackets = text[0] == '[';
	const char *host = text + brackets;
	const size_t length = strcspn(host, brackets ? "]" : ":");
	const char *rest = host + length;

	if (length == 0 || length >= HOST || (brackets && *rest++ != ']'))
		return false;
	memcpy(p->host, host, length);
	p->host[length] = '\0';
	p->port = DEFAULT_PORT;
	return *rest == '\0' || (*rest == ':' && read_port(rest + 1, &p->port));
}

/* The accepting end compares addresses, because any process may connect to a port of loopback. */
static int accept_from(int listener, int client)
{
	union address mine, other;
	socklen_t size = sizeof mine, other_size = sizeof other;
	int fd;

	if (getsockname(client, &mine.any, &size) == -1)
		return -1;
	while ((fd = accept(listener, &other.any, &other_size)) != -1) {
		if (mine.v4.sin_port == other.v4.sin_port && tcp_same_host(&mine, &other))
			return fd;
		close(fd);
		other_size = sizeof other;
	}
	return -1;
}

int tcp_pair(int fd[2])
{
	union address a = {
		.v4 = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } } };
	socklen_t size = sizeof a.v4;
	const int listener = socket(AF_INET, SOCK_STREAM, 0);

	fd[0] = socket(AF_INET, SOCK_STREAM, 0);
	if (listener == -1 || fd[0] == -1 || bind(listener, &a.any, size) == -1
			|| listen(listener, BACKLOG) == -1
			|| getsockname(listener, &a.any, &size) == -1
			|| connect(fd[0], &a.any, size) == -1)
		return -1;
	fd[1] = accept_from(listener, fd[0]);
	close(listener);
	return fd[1] == -1 ? -1 : 0;
}

void tcp_no_delay(int fd)
{
	const int on = 1;
	union address a;
	socklen_t size = sizeof a;

	if (getsockname(fd, &a.any, &size) == -1 || a.any.sa_family == AF_UNIX)
		return;
	if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == -1)
		bench_fail("cannot set TCP_NODELAY");
}

void tcp_name(const union address *a, socklen_t size, char name[ADDRESS])
{
	if (getnameinfo(&a->any, size, name, ADDRESS, NULL, 0, NI_NUMERICHOST) != 0)
		snprintf(name, ADDRESS, "an unknown address");
}

int tcp_port(const union address *a)
{
	return ntohs(a->any.sa_family == AF_INET6 ? a->v6.sin6_port : a->v4.sin_port);
}

void tcp_set_port(union address *a, int port)
{
	if (a->any.sa_family == AF_INET6)
		a->v6.sin6_port = htons((uint16_t)port);
	else
		a->v4.sin_port = htons((uint16_t)port);
}

bool tcp_same_host(const union address *a, const union address *b)
{
	if (a->any.sa_family != b->any.sa_family)
		return false;
	if (a->any.sa_family == AF_INET6)
		return memcmp(&a->v6.sin6_addr, &b->v6.sin6_addr, sizeof a->v6.sin6_addr) == 0;
	return a->v4.sin_addr.s_addr == b->v4.sin_addr.s_addr;
}
