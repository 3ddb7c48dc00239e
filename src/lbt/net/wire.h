// SPDX-License-Identifier: GPL-2.0-or-later
/* wire.h - a connected stream socket on which nothing waits for ever. */
#ifndef NET_WIRE_H
#define NET_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { LINE = 80 };

struct wire {
	int fd;
	int patience;	/* seconds without an octet, then a call fails with ETIMEDOUT */
};

/* Sets the timeouts of `fd`; -1 with errno when that fails. */
int wire_open(struct wire *w, int fd, int patience);
/*
 * One read, or one that was interrupted again: octets, 0 at the end, -1 with errno. A process whose
 * Run was killed ends here.
 */
ssize_t wire_read(const struct wire *w, void *to, size_t size);
/* All of it: how many writes that took, -1 with errno. */
int wire_write(const struct wire *w, const void *data, size_t size);

/*
 * A line of printable ASCII without its newline, within `seconds` in all. Whatever comes, the text
 * is printable and has an end. WIRE_BROKEN: errno says why.
 */
enum wire_line { WIRE_LINE, WIRE_ENDED, WIRE_NO_LINE, WIRE_LATE, WIRE_BROKEN };
enum wire_line wire_line(const struct wire *w, char text[LINE], int seconds);
/* True when there is something to read, be it the end, without waiting for it. */
bool wire_has_news(const struct wire *w);

#endif
