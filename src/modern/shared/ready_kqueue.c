// SPDX-License-Identifier: GPL-2.0-or-later
/* ready_kqueue.c - waits for descriptors with kqueue, which BSD and macOS have. */
#include "modern/shared/ready.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__) || \
	defined(__DragonFly__)
#include <sys/types.h>
#include <sys/event.h>
#include <sys/time.h>

static int wait_kqueue(const struct ready *r, int which[], int most)
{
	struct kevent event[READY_MOST];
	const int there = kevent(r->fd, NULL, 0, event, most, NULL);

	for (int i = 0; i < there; i++)
		which[i] = (int)(intptr_t)event[i].udata;
	return there;
}

static bool open_kqueue(struct ready *r)
{
	const struct timespec at_once = { 0, 0 };
	struct kevent none;

	r->fd = kqueue();
	if (r->fd == -1)
		return false;
	for (int i = 0; i < r->count; i++) {
		struct kevent change;

		EV_SET(&change, (uintptr_t)r->fds[i], EVFILT_READ, EV_ADD, 0, 0, (void *)(intptr_t)i);
		if (kevent(r->fd, &change, 1, NULL, 0, &at_once) == -1)
			return ready_refused(r);
	}
	return kevent(r->fd, NULL, 0, &none, 1, &at_once) != -1 || ready_refused(r);
}
#else
static int wait_kqueue(const struct ready *r, int which[], int most)
{
	(void)r;
	(void)which;
	(void)most;
	return -1;
}

static bool open_kqueue(struct ready *r)
{
	(void)r;
	errno = ENOSYS;
	return false;
}
#endif

const struct ready_form ready_kqueue = { "kqueue", open_kqueue, wait_kqueue };
