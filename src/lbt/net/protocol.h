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
 * The last line has the octets received, the reads they came in, and the CPU seconds. In the place
 * of each of its lines the receiver may say `touchstone-net 1 no busy with another machine`. Task
 * check ends with the ok.
 *
 * Octet n of the task stream is octet n % BLOCK of one block. A datagram is a number of 32 bits in
 * network order; number 0 has no answer: it says that the sending side of the connection has ended.
 */
#ifndef NET_PROTOCOL_H
#define NET_PROTOCOL_H

#include "bench.h"
#include "lbt/net/wire.h"

enum { PROTOCOL = 1, BLOCK = 8192, DATAGRAM = 4 };
/*
 * Seconds: for a greeting, without an octet, beyond what was asked for, and the most that may be
 * asked for.
 */
enum { GREETING_SECONDS = 5, IDLE_SECONDS = 10, GRACE_SECONDS = 30, MOST_SECONDS = 86400 };

enum task { STREAM, ECHO, DATAGRAMS, CHECK, TASKS };
extern const char *const TASK_NAMES[TASKS];

struct report {
	uint64_t octets, reads;
	double cpu;
};

/* False with errno when the line cannot be sent. */
bool protocol_say(const struct wire *w, const char *format, ...) CHANNEL_FORMAT(2, 3);
/*
 * The words of a line behind the protocol's number; NULL: the line is not of this protocol at all.
 */
const char *protocol_words(const char *line, long *protocol);

/* What stands behind `done`. */
bool protocol_read_report(const char *words, struct report *r);
void protocol_fill(unsigned char block[BLOCK]);

/* User and system seconds of this process. */
double protocol_cpu(void);

#endif
