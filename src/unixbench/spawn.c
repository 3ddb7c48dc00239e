// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * spawn - one operation makes a process that ends at once, and waits for it. The child executes
 * nothing, so this measures copying a small address space and taking it down again. The child ends
 * by exit and not by _exit, as in UnixBench: the exit code of the C library, and the dynamic
 * linker's search for it, touch seven more pages. Nothing of the harness runs in the child, since
 * it has no exit handler and buffers no output.
 */
#include "bench.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct bench b;
	pid_t child;
	int status;

	bench_begin(&b, argc, argv, NULL);
	while (bench_next(&b)) {
		child = fork();
		if (child == 0)
			exit(0);
		if (child == -1)
			bench_fail("cannot make a process");
		if (waitpid(child, &status, 0) != child)
			bench_fail("cannot wait for a process");
		if (status != 0)
			bench_wrong("a process ended with wait status %d instead of 0", status);
	}
	bench_end(&b);
}
