// SPDX-License-Identifier: GPL-2.0-or-later
/* inflow.h - what comes over a line, in pieces of the reader's choosing. */
#ifndef INPUTS_INFLOW_H
#define INPUTS_INFLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INFLOW = 4096 };

struct inflow {
	int fd;
	size_t from, to;	/* what was read and not taken */
	int64_t when;		/* of the last read, monotonic nanoseconds */
	char octets[INFLOW];
};

/* Adds what comes next to what is there. Ends the process when the line ends. */
void inflow_read(struct inflow *f);
/* The next `size` octets, read only when they are not there yet. */
static inline const char *inflow_take(struct inflow *f, size_t size)
{
	while (f->to - f->from < size)
		inflow_read(f);
	f->from += size;
	return f->octets + f->from - size;
}
/* Up to and with the line end, or what has come until there can be none in `size` octets. */
void inflow_take_text(struct inflow *f, char *text, size_t size);
/* Whether something has come that nobody has taken. */
bool inflow_has_more(struct inflow *f);

#endif
