// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lost.h - adds up the pauses of a process that only computes. The kernel tells how long the
 * process waited for its turn; what remains of a pause was lost outside of the kernel's scheduling:
 * to the hypervisor, or to an interrupt.
 */
#ifndef TRUTH_LOST_H
#define TRUTH_LOST_H

#include <stdbool.h>
#include <stdint.h>

struct lost {
	int cpu;
	int64_t begin, gaps, waited;	/* nanoseconds */
	int64_t wait;			/* what the kernel said last; -1: it does not */
	double steal, interrupts;	/* seconds of this CPU at the beginning; -1: unknown */
};

void lost_begin(struct lost *l, int cpu);
/* Short pauses are no matter: the kernel's own clock does nothing longer. */
void lost_note(struct lost *l, int64_t pause);
/* Tells the figures gaps, waited, steal and interrupts, each only where it is known. */
void lost_say(const struct lost *l);

#endif
