// SPDX-License-Identifier: GPL-2.0-or-later
/* ready_epoll.c - waits for descriptors with epoll, which Linux has. */
#include "modern/shared/ready.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

enum { FOREVER = -1 };

#if defined(__linux__)
#include <sys/epoll.h>

static int wait_epoll(const struct ready *r, int which[], int most)
{
	struct epoll_event event[READY_MOST];
	const int there = epoll_wait(r->fd, event, most, FOREVER);

	for (int i = 0; i < there; i++)
		which[i] = (int)event[i].data.u32;
	return there;
}

static bool open_epoll(struct ready *r)
{
	struct epoll_event none;

	r->fd = epoll_create1(EPOLL_CLOEXEC);
	if (r->fd == -1)
		return false;
	for (int i = 0; i < r->count; i++) {
		struct epoll_event event = { .events = EPOLLIN, .data.u32 = (uint32_t)i };

		if (epoll_ctl(r->fd, EPOLL_CTL_ADD, r->fds[i], &event) == -1)
			return ready_refused(r);
	}
	return epoll_wait(r->fd, &none, 1, 0) != -1 || ready_refused(r);
}
#else
static int wait_epoll(const struct ready *r, int which[], int most)
{
	(void)r;
	(void)which;
	(void)most;
	return FOREVER;
}

static bool open_epoll(struct ready *r)
{
	(void)r;
	errno = ENOSYS;
	return false;
}
#endif

const struct ready_form ready_epoll = { "epoll", open_epoll, wait_epoll };
