// SPDX-License-Identifier: GPL-2.0-or-later
/* tcp.h - sockets and their addresses. */
#ifndef NET_TCP_H
#define NET_TCP_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

enum { DEFAULT_PORT = 7117, HOST = 256, ADDRESS = 64 };

/* The other machine, as the user named it. */
struct place {
	char host[HOST];
	int port;
};

/* An IPv4 or IPv6 address. */
union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
	struct sockaddr_storage room;
};

/* Reads `host`, `10.0.0.2:7000` or `[fd00::2]:7000`; false if it is none of these. */
bool tcp_place(const char *text, struct place *p);
/* Returns a connection, or ends the program with a message that says why there is none. */
int tcp_connect(const struct place *p);
/* Makes two connected ends on this machine's loopback; returns -1 with errno if it cannot. */
int tcp_pair(int fd[2]);

/* Sends small writes at once. A socket that is not TCP does so anyway. */
void tcp_no_delay(int fd);

/* Writes the address as digits, without its port. */
void tcp_name(const union address *a, socklen_t size, char name[ADDRESS]);
int tcp_port(const union address *a);
void tcp_set_port(union address *a, int port);
bool tcp_same_host(const union address *a, const union address *b);

#endif
