// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * protocol.h - what the sender and the receiver of a test say to each other, in lines of less than
 * LINE octets:
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
 * The last line has the octets received, the number of reads, and the CPU seconds. Instead of any
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
#include "lbt/net/wire.h"

enum { PROTOCOL = 1, BLOCK = 8192, DATAGRAM = 4 };
/*
 * Limits in seconds: for a greeting; without an octet; beyond the time asked for; and for the time
 * asked for.
 */
enum { GREETING_SECONDS = 5, IDLE_SECONDS = 10, GRACE_SECONDS = 30, MOST_SECONDS = 86400 };

enum task { STREAM, ECHO, DATAGRAMS, CHECK, TASKS };
extern const char *const TASK_NAMES[TASKS];

struct report {
	uint64_t octets, reads;
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
