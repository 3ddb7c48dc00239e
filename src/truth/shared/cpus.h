// SPDX-License-Identifier: GPL-2.0-or-later
/* cpus.h - which CPUs this process may use, and what the system says of their cores. */
#ifndef TRUTH_CPUS_H
#define TRUTH_CPUS_H

enum { CPUS_MOST = 1024 };

/* Fills in the numbers of the usable CPUs and returns how many; 0 where the system cannot tell. */
int cpus_usable(int cpu[CPUS_MOST]);
/* Returns the lowest CPU of the core that the system says this CPU is in; -1: it says nothing. */
int cpus_core(int cpu);
/* Returns the lowest CPU that is said to share its last cache; -1: nothing is said. */
int cpus_cache(int cpu);

#endif
