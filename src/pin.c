// SPDX-License-Identifier: GPL-2.0-or-later
/* pin.c - binds a process to a CPU: an implementation for each system that can. */
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "pin.h"

#include <errno.h>

#if defined(__linux__)
#include <sched.h>

int pin_to_cpu(int cpu)
{
	cpu_set_t set;

	if (cpu < 0 || cpu >= CPU_SETSIZE) {
		errno = EINVAL;
		return -1;
	}
	CPU_ZERO(&set);
	CPU_SET((unsigned)cpu, &set);
	return sched_setaffinity(0, sizeof set, &set);
}
#else
int pin_to_cpu(int cpu)
{
	(void)cpu;
	errno = ENOSYS;
	return -1;
}
#endif
