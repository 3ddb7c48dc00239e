// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * server.h - the server of tcp: a thread that waits for requests on all connections and answers
 * them. A request has a number at its beginning, an answer the next one at both of its ends. The numbers
 * go up by one from request to request, over all connections in turn; NO_REQUEST ends the server.
 */
#ifndef MODERN_TCP_SERVER_H
#define MODERN_TCP_SERVER_H
#include "modern/shared/ready.h"

#include <pthread.h>
#include <stdint.h>

enum { CONNECTIONS = 32, NO_REQUEST = 0 };
/* 64 and 1,024 bytes, as words of 8. */
enum { REQUEST = 8, ANSWER = 128, LAST = ANSWER - 1 };

struct server {
	int fds[CONNECTIONS];		/* set by the caller */
	struct ready ready;
	uint64_t expected[CONNECTIONS];	/* the number of the next request */
	uint64_t served;
	pthread_t thread;
};

void server_start(struct server *s);
/* Waits until the server has ended, after a NO_REQUEST. */
void server_join(struct server *s);

#endif
