// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pairs.h - what a CPU keeps of its speed while another computes too: of a chain of additions,
 * of additions that need nothing of each other, and of loads in 40 KB. Two threads of a core keep
 * half.
 */
#ifndef TRUTH_PAIRS_H
#define TRUTH_PAIRS_H

#include <stdint.h>

enum work { WORK_CHAIN, WORK_WIDE, WORK_LOADS, WORKS };

/* Speed with the other CPU at work, as a part of that without; 0: too few slots were undisturbed. */
struct kept {
	double part[WORKS];
};

/* Takes `ns`, and pins threads of its own to the CPUs. */
struct kept pair_measure(int cpu, int other, int64_t ns);

#endif
