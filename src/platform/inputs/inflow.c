// SPDX-License-Identifier: GPL-2.0-or-later
/* inflow.c - a buffer whose remaining octets move to its front before the next read. */
#include "platform/inputs/inflow.h"
#include "bench.h"
#include "platform/inputs/octets.h"
#include "platform/inputs/parts.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

void inflow_read(struct inflow *f)
{
	ssize_t n;

	memmove(f->octets, f->octets + f->from, f->to - f->from);
	f->to -= f->from;
	f->from = 0;
	n = octets_read(f->fd, f->octets + f->to, sizeof f->octets - f->to);
	if (n == -1)
		bench_fail("the receiver cannot read from its line");
	if (n == 0)
		_exit(LINE_ENDED);
	f->when = bench_clock();
	f->to += (size_t)n;
}

void inflow_take_text(struct inflow *f, char *text, size_t size)
{
	size_t used = 0;

	do {
		text[used++] = *inflow_take(f, 1);
	} while (text[used - 1] != '\n' && used < size - 1);
	text[used] = '\0';
}

/* A line that has ended is readable too, but reports more than POLLIN. */
bool inflow_has_more(struct inflow *f)
{
	struct pollfd p = { .fd = f->fd, .events = POLLIN };

	return f->from < f->to || (poll(&p, 1, 0) == 1 && p.revents == POLLIN);
}
