// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * peer.h - the receiving side as the measuring process sees it: a process of its own, or another
 * machine. Each of these ends the program with a sentence when the peer does not do its part.
 */
#ifndef NET_PEER_H
#define NET_PEER_H

#include "lbt/net/protocol.h"
#include "lbt/net/tcp.h"

struct peer {
	struct wire wire;
	char name[HOST + 32];	/* for sentences: 'host' port 7117 */
	bool is_here;		/* a process of this program's own */
	bool is_greeted;
	int udp_port;		/* of task datagrams */
};

/*
 * A peer on another machine; one here that is connected through loopback, or by a pair of sockets.
 */
void peer_there(struct peer *p, const struct place *place);
void peer_here(struct peer *p, bool by_tcp);

void peer_greet(struct peer *p, enum task task, double seconds);
/* Waits for a line that begins with this word; what stands behind it. */
const char *peer_hear(const struct peer *p, const char *word, char line[LINE], int seconds);
/*
 * Nothing comes any more: `n` is what a read returned, 0 at the end, or -1 with errno, as of a
 * write.
 */
_Noreturn void peer_lost(const struct peer *p, ssize_t n);

/* Ends the sending side; takes the report of what has arrived. */
void peer_stop(const struct peer *p);
void peer_report(const struct peer *p, struct report *r);
/* Says the CPU seconds of both sides, and waits for the process that was the other. */
void peer_leave(const struct peer *p, const struct bench *b, const struct report *r);

#endif
