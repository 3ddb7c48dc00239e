// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * affinity.h - which CPUs this process may use, how its threads choose one each, and what the system
 * says of their cores. It is apart from pin.h, which is linked into every program: the smallest ones
 * also measure the cost of their own size.
 */
#ifndef TRUTH_AFFINITY_H
#define TRUTH_AFFINITY_H

#include <stdbool.h>

/* The kernel of Linux has at most 8,192 CPUs today. */
enum { CPUS_MOST = 8192 };

/* Fills in the numbers of the usable CPUs and returns how many; 0 where the system cannot tell. */
int affinity_cpus(int cpu[CPUS_MOST]);
/* Returns how many they are; 1 where no call tells. */
int affinity_count(void);
/* Moves the calling thread to the first (0), second (1) ... of them; false where that cannot be done. */
bool affinity_take(int which);
/* Returns the lowest CPU of the core that the system says this CPU is in; -1: it says nothing. */
int affinity_core(int cpu);
/* Returns the lowest CPU that is said to share its last cache; -1: nothing is said. */
int affinity_cache(int cpu);

#endif
