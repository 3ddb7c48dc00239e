// SPDX-License-Identifier: GPL-2.0-or-later
/* seat.c - the CPUs of a process: an implementation for each system that tells them. */
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "truth/shared/seat.h"

#if defined(__linux__)
#include <sched.h>

/* The CPUs that the process had when it asked first: a thread that has moved sees only its own. */
static const cpu_set_t *all(void)
{
	static cpu_set_t set;

	if (CPU_COUNT(&set) == 0 && sched_getaffinity(0, sizeof set, &set) == -1)
		CPU_ZERO(&set);
	return &set;
}

int seat_count(void)
{
	int count = CPU_COUNT(all());

	return count > 0 ? count : 1;
}

bool seat_take(int which)
{
	const cpu_set_t *set = all();
	cpu_set_t one;

	for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, set) && which-- == 0) {
			CPU_ZERO(&one);
			CPU_SET(cpu, &one);
			return sched_setaffinity(0, sizeof one, &one) == 0;
		}
	return false;
}
#else
int seat_count(void)
{
	return 1;
}

bool seat_take(int which)
{
	(void)which;
	return false;
}
#endif
