// SPDX-License-Identifier: GPL-2.0-or-later
/* room.c - room.h from files of Linux. */
#include "truth/shared/room.h"

#include <inttypes.h>
#include <stdio.h>

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* A cgroup without a limit has a word there, or a number that is larger than all memory. */
static int64_t number_in(const char *path)
{
	FILE *const file = fopen(path, "r");
	int64_t number = -1;

	if (!file)
		return -1;
	if (fscanf(file, "%" SCNd64, &number) != 1)
		number = -1;
	fclose(file);
	return number;
}

static int64_t of_system(void)
{
	FILE *const file = fopen("/proc/meminfo", "r");
	int64_t kilobytes = -1;
	char line[128];

	if (!file)
		return INT64_MAX;
	while (kilobytes == -1 && fgets(line, sizeof line, file))
		if (sscanf(line, "MemAvailable: %" SCNd64, &kilobytes) != 1)
			kilobytes = -1;
	fclose(file);
	return kilobytes == -1 ? INT64_MAX : kilobytes * 1024;
}

static int64_t of_group(const char *limit_file, const char *used_file)
{
	const int64_t limit = number_in(limit_file), used = number_in(used_file);

	return limit < 0 ? INT64_MAX : used > limit ? 0 : limit - (used < 0 ? 0 : used);
}

int64_t room_available(void)
{
	const int64_t second = of_group("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current");
	const int64_t first = of_group("/sys/fs/cgroup/memory/memory.limit_in_bytes",
		"/sys/fs/cgroup/memory/memory.usage_in_bytes");

	return least(of_system(), least(first, second));
}
