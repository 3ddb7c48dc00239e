// SPDX-License-Identifier: GPL-2.0-or-later
/* server.c - answers requests; server.h is the manual. */
#include "modern/tcp/server.h"

#include "channel.h"
#include "modern/tcp/loopback.h"

#include <errno.h>
#include <inttypes.h>

/* False when this was no request, but the end. */
static bool answer(struct server *s, int which)
{
	uint64_t request[REQUEST], reply[ANSWER] = { 0 };

	loopback_take(s->fds[which], request, sizeof request);
	if (request[0] == NO_REQUEST)
		return false;
	if (request[0] != s->expected[which])
		bench_wrong("request %" PRIu64 " came instead of %" PRIu64, request[0], s->expected[which]);
	reply[0] = reply[LAST] = request[0] + 1;
	loopback_send(s->fds[which], reply, sizeof reply);
	s->expected[which] += CONNECTIONS;
	s->served++;
	return true;
}

static void *serve(void *argument)
{
	struct server *s = argument;
	int which[CONNECTIONS];

	for (;;) {
		const int there = ready_wait(&s->ready, which, CONNECTIONS);

		for (int i = 0; i < there; i++)
			if (!answer(s, which[i]))
				return NULL;
	}
}

void server_start(struct server *s)
{
	for (int i = 0; i < CONNECTIONS; i++)
		s->expected[i] = (uint64_t)i + 1;
	ready_open(&s->ready, s->fds, CONNECTIONS);
	errno = pthread_create(&s->thread, NULL, serve, s);
	if (errno != 0)
		bench_fail("cannot make a thread");
}

void server_join(struct server *s)
{
	errno = pthread_join(s->thread, NULL);
	if (errno != 0)
		bench_fail("cannot wait for a thread");
}
