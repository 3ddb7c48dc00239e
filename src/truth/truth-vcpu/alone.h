// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * alone.h - one CPU for most of a second: its clock, how much of its core is free, and who took it
 * away. Figures:
 *
 *	FIGURE|slices|3312		of 0.15 ms that nothing interrupted
 *	FIGURE|ghz-05|3.61		the clock in the slowest tenth of the slices; ghz-15 ... ghz-95
 *	FIGURE|wide-025|3.9		additions a cycle in the twentieth with the fewest; wide-075 ... wide-975
 *	FIGURE|nops-low|2.9		instructions a cycle in slices with few additions, and in the others
 *	FIGURE|nops-high|5.8
 *	FIGURE|ghz-low|3.6		the clock in these; all four only where there are some of both
 *	FIGURE|ghz-high|3.6
 *	FIGURE|multiply|3.0		cycles of a multiplication
 *	FIGURE|should|3			as all such processors have it; not there where they differ
 *	FIGURE|tsc|2.45			GHz of the processor's counter
 *	FIGURE|gaps|0.003		part of the time that was lost in pauses of more than 50 us
 *	FIGURE|waited|0.1		part that the kernel says this process waited for its turn, in them
 *	FIGURE|steal|0			part that /proc/stat says the hypervisor took from this CPU
 *	FIGURE|interrupts|0		part that it says interrupts took
 */
#ifndef TRUTH_ALONE_H
#define TRUTH_ALONE_H

#include <stdint.h>

/* `until` is a time of bench_clock. Returns GHz, the median, or 0 when no slice was whole. */
double alone_look(int cpu, int64_t until);

#endif
