// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * spawn - one operation makes a process that ends at once, and waits for it.
 * The child executes nothing: this is the cost of copying a small address space and of taking it down again.
 */
#include "bench.h"

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
			_exit(0);
		if (child == -1)
			bench_fail("cannot make a process");
		if (waitpid(child, &status, 0) != child)
			bench_fail("cannot wait for a process");
		if (status != 0)
			bench_wrong("a process ended with wait status %d instead of 0", status);
	}
	bench_end(&b);
}
