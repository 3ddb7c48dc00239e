// SPDX-License-Identifier: GPL-2.0-or-later
/* inflow.h - data from a line, taken in pieces of any size. */
#ifndef INPUTS_INFLOW_H
#define INPUTS_INFLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INFLOW = 4096 };

struct inflow {
	int fd;
	size_t from, to;	/* range of octets that have been read and not taken */
	int64_t when;		/* time of the last read, monotonic nanoseconds */
	char octets[INFLOW];
};

/* Adds the next octets. Ends the process if the line has ended. */
void inflow_read(struct inflow *f);
/* Takes the next `size` octets, and reads only if too few are there. */
static inline const char *inflow_take(struct inflow *f, size_t size)
{
	while (f->to - f->from < size)
		inflow_read(f);
	f->from += size;
	return f->octets + f->from - size;
}
/* Takes a line with its newline, or stops when `size` octets cannot hold one. */
void inflow_take_text(struct inflow *f, char *text, size_t size);
/* True if octets have come that were not taken. */
bool inflow_has_more(struct inflow *f);

#endif
