// SPDX-License-Identifier: GPL-2.0-or-later
/* tcp.h - sockets and their addresses. */
#ifndef NET_TCP_H
#define NET_TCP_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

enum { DEFAULT_PORT = 7117, HOST = 256, ADDRESS = 64 };

/* Where the other machine is, as the user says it. */
struct place {
	char host[HOST];
	int port;
};

/* An address of either kind. */
union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
	struct sockaddr_storage room;
};

/* From `host`, `10.0.0.2:7000`, `[fd00::2]:7000`; false: it is none of these. */
bool tcp_place(const char *text, struct place *p);
/* A connection, or the end of the program with a sentence that says why there is none. */
int tcp_connect(const struct place *p);
/* Two connected ends on this machine's loopback; -1 with errno. */
int tcp_pair(int fd[2]);

/* Small writes go out at once; on a socket that is no TCP socket they do so anyway. */
void tcp_no_delay(int fd);

/* The address without its port, as digits. */
void tcp_name(const union address *a, socklen_t size, char name[ADDRESS]);
int tcp_port(const union address *a);
void tcp_set_port(union address *a, int port);
bool tcp_same_host(const union address *a, const union address *b);

#endif
