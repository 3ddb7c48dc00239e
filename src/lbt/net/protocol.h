// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * protocol.h - what the sender and the receiver of a test say to each other, in lines of less than
 * LINE bytes:
 *
 *	sender		touchstone-net 1 stream 10.000000	the task and its seconds
 *	receiver	touchstone-net 1 ok			task datagrams: `ok 40123`,
 *								its UDP port
 *	sender		...a first block or octet, which is not counted...
 *	receiver	touchstone-net 1 ready			task echo: the octet itself,
 *								task datagrams: the datagram
 *	sender		...the test, then the end of its sending side...
 *	receiver	touchstone-net 1 done 16777216 2048 0.012345
 *
 * The last line has the bytes received, the number of reads, and the CPU seconds. Instead of any
 * of its lines the receiver may send a refusal, `touchstone-net 1 no busy with another machine`.
 * Task check ends after the ok.
 *
 * In task stream, octet n is octet n % BLOCK of one block. A datagram is a number of 32 bits in
 * network order, larger than the one before, and from one port. Others are not answered, and
 * neither is number 0: it says that the sending side of the connection has been closed.
 */
#ifndef NET_PROTOCOL_H
#define NET_PROTOCOL_H

#include "bench.h"

#include <netinet/in.h>
#include <sys/socket.h>

/* --- a connected stream socket on which no call waits for ever */

enum { LINE = 80 };

struct wire {
	int fd;
	int patience;	/* seconds without an octet until a call fails with ETIMEDOUT */
};

/* Sets the timeouts of `fd`; returns -1 with errno if that fails. */
int wire_open(struct wire *w, int fd, int patience);
/*
 * Reads once, again after an interruption. Returns the number of bytes, 0 at the end, or -1 with
 * errno. If Run was killed, this ends the process.
 */
ssize_t wire_read(const struct wire *w, void *to, size_t size);
/* Writes everything. Returns the number of writes that this took, or -1 with errno. */
int wire_write(const struct wire *w, const void *data, size_t size);

/*
 * Reads a line of printable ASCII, without its newline, within `seconds` in total. Whatever
 * arrives, the text is printable and terminated. WIRE_BROKEN: errno says why.
 */
enum wire_line { WIRE_LINE, WIRE_ENDED, WIRE_NO_LINE, WIRE_LATE, WIRE_BROKEN };
enum wire_line wire_line(const struct wire *w, char text[LINE], int seconds);
/* True if there is something to read, which includes the end, without waiting. */
bool wire_has_news(const struct wire *w);

/* --- sockets and their addresses */

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
/* Makes two connected ends on this machine's loopback; returns -1 with errno if it cannot. */
int tcp_pair(int fd[2]);

/* Sends small writes at once. A socket that is not TCP does so anyway. */
void tcp_no_delay(int fd);

/* Writes the address as digits, without its port. */
void tcp_name(const union address *a, socklen_t size, char name[ADDRESS]);
int tcp_port(const union address *a);
void tcp_set_port(union address *a, int port);
bool tcp_same_host(const union address *a, const union address *b);

/* --- the lines */

enum { PROTOCOL = 1, BLOCK = 8192, DATAGRAM = 4 };
/*
 * Limits in seconds: for a greeting; without an octet; beyond the time asked for; and for the time
 * asked for.
 */
enum { GREETING_SECONDS = 5, IDLE_SECONDS = 10, GRACE_SECONDS = 30, MOST_SECONDS = 86400 };

enum task { STREAM, ECHO, DATAGRAMS, CHECK, TASKS };
extern const char *const TASK_NAMES[TASKS];

struct report {
	uint64_t bytes, reads;
	double cpu;
};

/* False with errno if the line cannot be sent. */
bool protocol_say(const struct wire *w, const char *format, ...) CHANNEL_FORMAT(2, 3);
/*
 * Returns what follows the protocol's number in a line; NULL if the line is not of this protocol.
 */
const char *protocol_words(const char *line, long *protocol);

/* Reads what follows `done`. */
bool protocol_read_report(const char *words, struct report *r);
void protocol_fill(unsigned char block[BLOCK]);

/* Returns user and system seconds of this process. */
double protocol_cpu(void);

#endif
