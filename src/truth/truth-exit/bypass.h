// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bypass.h - what protection against speculative store bypass costs: the only protection of the
 * kernel that a process may switch for itself.
 */
#ifndef BYPASS_H
#define BYPASS_H

#include <stdint.h>

/* What the kernel says; BYPASS_UNKNOWN also where it may not be asked. */
enum bypass { BYPASS_UNKNOWN, BYPASS_NONE, BYPASS_OPEN, BYPASS_CLOSED, BYPASS_SWITCHED };

struct bypass_cost {
	enum bypass is;		/* costs are there for BYPASS_SWITCHED alone */
	double open, closed;	/* nanoseconds of a system call that does nothing */
};

/* Takes `ns`, in a child, because nobody else shall run with the protection. */
struct bypass_cost bypass_look(int64_t ns);

#endif
