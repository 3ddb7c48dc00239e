// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * scall84 - one unit is 25,000 calls of getpid, each of which enters the kernel: no library
 * returns a remembered number.
 */
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "bench.h"

#include <unistd.h>

enum { CALLS = 25000 };

#if defined(__linux__)
#include <sys/syscall.h>

static pid_t raw_getpid(void)
{
	return (pid_t)syscall(SYS_getpid);
}
#else
static pid_t raw_getpid(void)
{
	return getpid();
}
#endif

int main(int argc, char **argv)
{
	const pid_t process = getpid();
	struct bench b;

	bench_begin(&b, argc, argv, NULL);
	b.unit = BENCH_SECONDS;
	while (bench_next(&b))
		for (int i = 0; i < CALLS; i++)
			if (raw_getpid() != process)
				bench_wrong("the process has another id than before");
	bench_end(&b);
}
