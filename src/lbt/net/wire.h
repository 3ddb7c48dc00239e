// SPDX-License-Identifier: GPL-2.0-or-later
/* wire.h - a connected stream socket on which no call waits for ever. */
#ifndef NET_WIRE_H
#define NET_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { LINE = 80 };

struct wire {
	int fd;
	int patience;	/* seconds without an octet until a call fails with ETIMEDOUT */
};

/* Sets the timeouts of `fd`; returns -1 with errno if that fails. */
int wire_open(struct wire *w, int fd, int patience);
/*
 * Reads once, again after an interruption. Returns the number of octets, 0 at the end, or -1 with
 * errno. If Run was killed, this ends the process.
 */
ssize_t wire_read(const struct wire *w, void *to, size_t size);
/* Writes everything. Returns the number of writes that this took, or -1 with errno. */
int wire_write(const struct wire *w, const void *data, size_t size);

/*
 * Reads a line of printable ASCII, without its newline, within `seconds` in total. Whatever
 * arrives, the text is printable and terminated. WIRE_BROKEN: errno says why.
 */
enum wire_line { WIRE_LINE, WIRE_ENDED, WIRE_NO_LINE, WIRE_LATE, WIRE_BROKEN };
enum wire_line wire_line(const struct wire *w, char text[LINE], int seconds);
/* True if there is something to read, which includes the end, without waiting. */
bool wire_has_news(const struct wire *w);

#endif
