// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * peer.h - the receiving side as the measuring process sees it: a process of its own, or another
 * machine. If the peer does not do its part, each of these functions ends the program with a
 * message.
 */
#ifndef NET_PEER_H
#define NET_PEER_H

#include "lbt/net/protocol.h"

struct peer {
	struct wire wire;
	char name[HOST + 32];	/* for messages: 'host' port 7117 */
	bool is_here;		/* whether it is a process of this program */
	bool is_greeted;
	int udp_port;		/* the peer's port in task datagrams */
};

/*
 * Connect to a peer on another machine, or to one here, through loopback or by a pair of sockets.
 */
void peer_there(struct peer *p, const struct place *place);
void peer_here(struct peer *p, bool by_tcp);

void peer_greet(struct peer *p, enum task task, double seconds);
/* Waits for a line that begins with `word` and returns what follows it. */
const char *peer_hear(const struct peer *p, const char *word, char line[LINE], int seconds);
/*
 * Ends the program when nothing comes any more. `n` is the result of a read, 0 at the end, or -1
 * with errno, as after a write.
 */
_Noreturn void peer_lost(const struct peer *p, ssize_t n);

/* peer_stop closes the sending side; peer_report then reads how much has arrived. */
void peer_stop(const struct peer *p);
void peer_report(const struct peer *p, struct report *r);
/* Reports the CPU seconds of both sides, and waits for the peer's process if it is here. */
void peer_leave(const struct peer *p, const struct bench *b, const struct report *r);

#endif
