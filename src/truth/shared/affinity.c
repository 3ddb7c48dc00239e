// SPDX-License-Identifier: GPL-2.0-or-later
/* affinity.c - affinity.h for Linux; elsewhere a program cannot choose its CPU, and nothing is known. */
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "truth/shared/affinity.h"
#include "pin.h"

#include <stdio.h>

#if defined(__linux__)
#include <sched.h>

int affinity_cpus(int cpu[CPUS_MOST])
{
	/* A cpu_set_t ends at CPU 1,023. */
	enum { WORD = 8 * sizeof(unsigned long) };
	static unsigned long set[CPUS_MOST / WORD];
	int count = 0;

	if (sched_getaffinity(0, sizeof set, (cpu_set_t *)(void *)set) == -1)
		return 0;
	for (int i = 0; i < CPUS_MOST; i++)
		if (set[i / WORD] >> i % WORD & 1)
			cpu[count++] = i;
	return count;
}

/* A list of CPUs begins with the lowest. */
static int first_in(const char *path)
{
	FILE *const list = fopen(path, "r");
	int first = -1;

	if (!list)
		return -1;
	if (fscanf(list, "%d", &first) != 1)
		first = -1;
	fclose(list);
	return first;
}

int affinity_core(int cpu)
{
	/* The second name is that of kernels before 5.3. */
	static const char *const names[] = { "core_cpus_list", "thread_siblings_list" };
	char path[96];
	int first = -1;

	for (int i = 0; i < 2 && first == -1; i++) {
		snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/%s", cpu, names[i]);
		first = first_in(path);
	}
	return first;
}

int affinity_cache(int cpu)
{
	enum { INDEXES = 8 };
	char path[96];
	int last = -1;

	for (int i = 0; i < INDEXES; i++) {
		int first;
		snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cache/index%d/shared_cpu_list", cpu, i);
		first = first_in(path);
		if (first != -1)
			last = first;
	}
	return last;
}
#else
int affinity_cpus(int cpu[CPUS_MOST])
{
	(void)cpu;
	return 0;
}

int affinity_core(int cpu)
{
	(void)cpu;
	return -1;
}

int affinity_cache(int cpu)
{
	(void)cpu;
	return -1;
}
#endif

/* The CPUs that the process had when it asked first: a thread that has moved sees only its own. */
static const int *all(int *count)
{
	static int cpu[CPUS_MOST], known = -1;

	if (known == -1)
		known = affinity_cpus(cpu);
	*count = known;
	return cpu;
}

int affinity_count(void)
{
	int count;

	all(&count);
	return count > 0 ? count : 1;
}

bool affinity_take(int which)
{
	int count;
	const int *const cpu = all(&count);

	return which < count && pin_to_cpu(cpu[which]) == 0;
}
