// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pipe84 - one unit forks a child and writes 1,024 blocks of 512 bytes into a pipe that the child
 * reads to its end. This measures the fork, the pipe and the bytes together. No disk is involved,
 * although the first pipes were files.
 */
#include "bench.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCK = 512, BLOCKS = 1024, READ_FAILED = 1, OTHER_BYTES = 2 };

static char block[BLOCK];

/* This is the child. Its exit status says whether every byte has arrived. */
static _Noreturn void read_all(int fd)
{
	static char in[BLOCK];
	long bytes = 0;
	ssize_t n;

	while ((n = read(fd, in, sizeof in)) > 0)
		bytes += n;
	if (n == -1)
		_exit(READ_FAILED);
	_exit(bytes == (long)BLOCK * BLOCKS && memcmp(in, block, BLOCK) == 0 ? 0 : OTHER_BYTES);
}

static void unit(void)
{
	int fd[2], status;
	pid_t child;

	if (pipe(fd) == -1)
		bench_fail("cannot make a pipe");
	child = fork();
	if (child == -1)
		bench_fail("cannot make a process");
	if (child == 0) {
		close(fd[1]);
		read_all(fd[0]);
	}
	close(fd[0]);
	for (int i = 0; i < BLOCKS; i++)
		if (write(fd[1], block, BLOCK) != BLOCK)
			bench_fail("cannot write to the pipe");
	close(fd[1]);
	if (waitpid(child, &status, 0) != child)
		bench_fail("cannot wait for a process");
	if (status != 0)
		bench_wrong("the reader of the pipe ended with wait status %d: not every byte has arrived", status);
}

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, argc, argv, NULL);
	b.unit = BENCH_SECONDS;
	memset(block, 'p', sizeof block);
	/* When the reader dies, the write must fail, not end this process without a message. */
	signal(SIGPIPE, SIG_IGN);
	while (bench_next(&b))
		unit();
	bench_end(&b);
}
