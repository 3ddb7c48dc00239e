// SPDX-License-Identifier: GPL-2.0-or-later
/* pin.c - binds a process to a CPU: an implementation for each system that can. */
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "pin.h"

#include <errno.h>

#if defined(__linux__)
#include <sched.h>

/* A cpu_set_t ends at CPU 1,023. The kernel takes any number of words, each of WORD CPUs. */
enum { MOST = 65536, WORD = 8 * sizeof(unsigned long) };

int pin_to_cpu(int cpu)
{
	unsigned long set[MOST / WORD] = { 0 };

	if (cpu < 0 || cpu >= MOST) {
		errno = EINVAL;
		return -1;
	}
	set[cpu / WORD] = 1UL << cpu % WORD;
	return sched_setaffinity(0, sizeof set, (const cpu_set_t *)(const void *)set);
}
#else
int pin_to_cpu(int cpu)
{
	(void)cpu;
	errno = ENOSYS;
	return -1;
}
#endif
