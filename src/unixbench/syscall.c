// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * syscall - one operation is a few system calls that do next to nothing, so this measures entering
 * and leaving the kernel. mix calls dup, close, getpid, getuid and umask; close calls dup and
 * close; getpid calls getpid; exec calls fork, exec of true, and wait. The descriptor is the read
 * end of a private pipe: it is shared with no other process, so its reference count is
 * uncontended.
 */
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "bench.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MASK = 022 };

#if defined(__linux__)
#include <sys/syscall.h>

/* Some versions of glibc remember the process id and make no system call. */
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

static int private_descriptor(void)
{
	int fd[2];

	if (pipe(fd) == -1)
		bench_fail("cannot make a pipe");
	close(fd[1]);
	return fd[0];
}

/*
 * When dup has failed, the error appears at close, which got an invalid descriptor; this calls dup
 * again to find the cause.
 */
static _Noreturn void fail_at(int fd)
{
	if (dup(fd) == -1)
		bench_fail("cannot duplicate a descriptor");
	bench_fail("cannot close a descriptor");
}

static void mix(struct bench *b)
{
	const int fd = private_descriptor();
	const pid_t process = getpid();
	const uid_t user = getuid();

	umask(MASK);
	while (bench_next(b)) {
		if (close(dup(fd)) != 0)
			fail_at(fd);
		if (raw_getpid() != process || getuid() != user)
			bench_wrong("the process has another id or user than before");
		umask(MASK);
	}
	if (umask(MASK) != MASK)
		bench_wrong("the file mode mask is not the one that was set");
}

static void only_close(struct bench *b)
{
	const int fd = private_descriptor();

	while (bench_next(b))
		if (close(dup(fd)) != 0)
			fail_at(fd);
}

static void only_getpid(struct bench *b)
{
	const pid_t process = getpid();

	while (bench_next(b))
		if (raw_getpid() != process)
			bench_wrong("the process has another id than before");
}

static const char *path_of_true(void)
{
	static const char *const path[] = { "/bin/true", "/usr/bin/true" };

	for (size_t i = 0; i < sizeof path / sizeof path[0]; i++)
		if (access(path[i], X_OK) == 0)
			return path[i];
	bench_skip("this system has no '%s' and no '%s'", path[0], path[1]);
}

static void exec_true(struct bench *b)
{
	const char *path = path_of_true();
	pid_t child;
	int status;

	while (bench_next(b)) {
		child = fork();
		if (child == 0) {
			execl(path, path, (char *)NULL);
			_exit(127);
		}
		if (child == -1)
			bench_fail("cannot make a process");
		if (waitpid(child, &status, 0) != child)
			bench_fail("cannot wait for a process");
		if (status != 0)
			bench_wrong("'%s' ended with wait status %d instead of 0", path, status);
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*measure)(struct bench *b);
	} mode[] = { { "mix", mix }, { "close", only_close }, { "getpid", only_getpid }, { "exec", exec_true } };
	const char *wanted = argc > 2 ? argv[2] : "mix";
	struct bench b;

	bench_begin(&b, argc, argv, "SECONDS [mix|close|getpid|exec]");
	for (size_t i = 0; i < sizeof mode / sizeof mode[0]; i++) {
		if (argc <= 3 && strcmp(wanted, mode[i].name) == 0) {
			mode[i].measure(&b);
			bench_end(&b);
		}
	}
	bench_usage();
}
