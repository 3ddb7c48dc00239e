// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pipe - one operation writes 512 bytes into a pipe and reads them back, in one process. There is
 * no process switch and no waiting, so this measures moving bytes into the kernel and out again.
 */
#include "bench.h"

#include <string.h>
#include <unistd.h>

enum { BLOCK = 512 };

int main(int argc, char **argv)
{
	static char out[BLOCK], in[BLOCK];
	struct bench b;
	int fd[2];

	bench_begin(&b, argc, argv, NULL);
	memset(out, 'p', sizeof out);
	if (pipe(fd) == -1)
		bench_fail("cannot make a pipe");
	while (bench_next(&b)) {
		if (write(fd[1], out, BLOCK) != BLOCK)
			bench_fail("cannot write to the pipe");
		if (read(fd[0], in, BLOCK) != BLOCK)
			bench_fail("cannot read from the pipe");
	}
	if (memcmp(in, out, BLOCK) != 0)
		bench_wrong("the bytes read are not those written");
	bench_end(&b);
}
