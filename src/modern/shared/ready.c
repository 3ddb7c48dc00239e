// SPDX-License-Identifier: GPL-2.0-or-later
/* ready.c - chooses by which means descriptors are waited for; ready.h is the manual. */
#include "modern/shared/ready.h"

#include "channel.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

static const struct ready_form *const form[] = { &ready_epoll, &ready_kqueue, &ready_poll };
enum { FORMS = sizeof form / sizeof form[0] };

bool ready_refused(const struct ready *r)
{
	const int cause = errno;

	if (r->fd != -1)
		close(r->fd);
	errno = cause;
	return false;
}

/* What a filter of system calls answers, or a system that lacks the call. */
static bool is_forbidden(int cause)
{
	return cause == ENOSYS || cause == EPERM || cause == EACCES;
}

void ready_open(struct ready *r, const int fds[], int count)
{
	if (count < 1 || count > READY_MOST)
		bench_fail("cannot wait for %d descriptors", count);
	r->count = count;
	for (int i = 0; i < count; i++)
		r->fds[i] = fds[i];
	for (size_t i = 0; i < FORMS; i++) {
		r->form = form[i];
		if (r->form->open(r))
			return;
		if (!is_forbidden(errno))
			break;
	}
	bench_fail("cannot wait with %s", r->form->name);
}

int ready_wait(const struct ready *r, int which[], int most)
{
	int there;

	do
		there = r->form->wait(r, which, most < READY_MOST ? most : READY_MOST);
	while (there == -1 && errno == EINTR);
	if (there < 1)
		bench_fail("cannot wait with %s", r->form->name);
	return there;
}

void ready_say(const struct ready *r)
{
	channel_say("HOW|%s", r->form->name);
}
