// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ready_poll.c - waits for descriptors with poll, which every system has. Each call hands all of
 * them to the kernel.
 */
#include "modern/shared/ready.h"

#include <poll.h>
#include <stddef.h>

enum { FOREVER = -1 };

static nfds_t list_of(const struct ready *r, struct pollfd list[READY_MOST])
{
	for (int i = 0; i < r->count; i++)
		list[i] = (struct pollfd){ .fd = r->fds[i], .events = POLLIN };
	return (nfds_t)r->count;
}

static int wait_poll(const struct ready *r, int which[], int most)
{
	struct pollfd list[READY_MOST];
	int there = 0;

	if (poll(list, list_of(r, list), FOREVER) == -1)
		return -1;
	for (int i = 0; i < r->count && there < most; i++)
		if (list[i].revents != 0)
			which[there++] = i;
	return there;
}

static bool open_poll(struct ready *r)
{
	struct pollfd list[READY_MOST];

	return poll(list, list_of(r, list), 0) != -1;
}

const struct ready_form ready_poll = { "poll", open_poll, wait_poll };
