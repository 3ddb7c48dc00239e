// SPDX-License-Identifier: GPL-2.0-or-later
/* child.c - start, listen to, stop and reap other programs; child.h tells what for. */
#include "child.h"
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

/*
 * MOMENT in milliseconds: how late the end of Run is noticed. GRACE: looks, PAUSE nanoseconds
 * apart, before SIGKILL.
 */
enum { MOMENT = 200, PAUSE = 2000000, GRACE = 1000, CHILDREN = 4, REASON = 400 };
static const int ends[] = { SIGHUP, SIGINT, SIGTERM };

/*
 * For the signal handler: who runs, in the order of their starts, and what they leave. 0: nobody.
 */
static volatile pid_t running[CHILDREN];
static struct sockaddr_un leftover = { .sun_family = AF_UNIX };

/*
 * A child is never left between its fork and its entry here, nor between its end and the removal.
 */
static void hold_signals(sigset_t *before)
{
	sigset_t held;

	sigemptyset(&held);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		sigaddset(&held, ends[i]);
	sigprocmask(SIG_BLOCK, &held, before);
}

static void note(pid_t from, pid_t to)
{
	for (int i = 0; i < CHILDREN; i++) {
		if (running[i] == from) {
			running[i] = to;
			return;
		}
	}
}

static void pause_a_little(void)
{
	const struct timespec pause = { .tv_nsec = PAUSE };

	nanosleep(&pause, NULL);
}

/* From here to stop_all only what a signal handler may call. */
static void stop(pid_t pid)
{
	kill(pid, SIGTERM);
	for (int i = 0; i < GRACE; i++) {
		const pid_t done = waitpid(pid, NULL, WNOHANG);

		if (done == pid || (done == -1 && errno != EINTR))
			return;
		pause_a_little();
	}
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) == -1 && errno == EINTR)
		continue;
}

/* A name that somebody answers is another server's by now. */
static void remove_leftover(void)
{
	const struct sockaddr *const address = (const struct sockaddr *)&leftover;
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	if (fd == -1)
		return;
	if (connect(fd, address, sizeof leftover) == -1 && errno == ECONNREFUSED)
		unlink(leftover.sun_path);
	close(fd);
}

static void stop_all(void)
{
	const int cause = errno;

	for (int i = CHILDREN - 1; i >= 0; i--) {
		if (running[i] != 0)
			stop(running[i]);
		running[i] = 0;
	}
	if (leftover.sun_path[0] != '\0')
		remove_leftover();
	errno = cause;
}

static void on_end(int number)
{
	stop_all();
	signal(number, SIG_DFL);
	raise(number);
}

/*
 * The handlers do not interrupt each other: the first stops everything. A program that crashes
 * shall leave no file either.
 */
void child_prepare(void)
{
	const struct rlimit no_core = { 0, 0 };
	struct sigaction action = { .sa_handler = on_end }, before;

	sigprocmask(SIG_SETMASK, NULL, &action.sa_mask);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		sigaddset(&action.sa_mask, ends[i]);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (sigaction(ends[i], &action, &before) == 0 && before.sa_handler == SIG_IGN)
			signal(ends[i], SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	setrlimit(RLIMIT_CORE, &no_core);
	atexit(stop_all);
}

void child_leaves(const char *path)
{
	snprintf(leftover.sun_path, sizeof leftover.sun_path, "%s", path);
}

/*
 * So that nothing outlives a SIGKILL. Elsewhere x11perf ends with its work and a server with its
 * last client.
 */
#if defined(__linux__)
static void end_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(1);
}
#else
static void end_with(pid_t parent)
{
	(void)parent;
}
#endif

/* The signals as before, without the handlers: those are for the parent's children. */
static void restore_signals(const sigset_t *mask)
{
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (signal(ends[i], SIG_DFL) == SIG_IGN)
			signal(ends[i], SIG_IGN);
	sigprocmask(SIG_SETMASK, mask, NULL);
}

static _Noreturn void become(const char *const words[], int out, int err, int trouble)
{
	const int in = open("/dev/null", O_RDONLY);
	int cause;

	if (in != -1 && dup2(in, STDIN_FILENO) != -1 && dup2(out, STDOUT_FILENO) != -1 &&
			dup2(err, STDERR_FILENO) != -1)
		execvp(words[0], (char *const *)words);
	cause = errno;
	_exit(write(trouble, &cause, sizeof cause) == sizeof cause ? 1 : 2);
}

/* Above the standard streams, even when x11 was started without them, and closed by an exec. */
static void make_pipe(int ends_of[2])
{
	int fd[2];

	if (pipe(fd) == -1)
		stop_and_fail("cannot make a pipe");
	for (int i = 0; i < 2; i++) {
		ends_of[i] = fcntl(fd[i], F_DUPFD, STDERR_FILENO + 1);
		if (ends_of[i] == -1 || fcntl(ends_of[i], F_SETFD, FD_CLOEXEC) == -1)
			stop_and_fail("cannot make a pipe");
		close(fd[i]);
	}
}

/* 0 in the child. */
static pid_t noted_fork(void)
{
	const pid_t parent = getpid();
	sigset_t before;
	pid_t pid;

	hold_signals(&before);
	pid = fork();
	if (pid == 0) {
		end_with(parent);
		restore_signals(&before);
		return 0;
	}
	if (pid > 0)
		note(0, pid);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

int child_start(struct child *c, const char *const words[])
{
	int pipes[STREAMS][2], trouble[2], cause = 0;

	make_pipe(pipes[OUT]);
	make_pipe(pipes[WORDS]);
	make_pipe(trouble);
	c->pid = noted_fork();
	if (c->pid == -1)
		stop_and_fail("cannot make a process");
	if (c->pid == 0)
		become(words, pipes[OUT][1], pipes[WORDS][1], trouble[1]);
	close(trouble[1]);
	for (int i = 0; i < STREAMS; i++) {
		close(pipes[i][1]);
		c->fd[i] = pipes[i][0];
		c->used[i] = 0;
		c->text[i][0] = '\0';
	}
	while (read(trouble[0], &cause, sizeof cause) == -1 && errno == EINTR)
		continue;
	close(trouble[0]);
	if (cause != 0) {
		child_forget(c);
		child_end(c, INT64_MAX);
	}
	return cause;
}

/* Text with a NUL in it ends there for every reader. */
static void take(struct child *c, int stream)
{
	char block[4096];
	const ssize_t n = read(c->fd[stream], block, sizeof block);
	const size_t room = CHILD_TEXT - 1 - c->used[stream];
	size_t kept;

	if (n == -1 && errno == EINTR)
		return;
	if (n <= 0) {
		close(c->fd[stream]);
		c->fd[stream] = -1;
		return;
	}
	kept = (size_t)n < room ? (size_t)n : room;
	memcpy(c->text[stream] + c->used[stream], block, kept);
	c->used[stream] += kept;
	c->text[stream][c->used[stream]] = '\0';
}

bool child_listen(struct child *c)
{
	struct pollfd p[STREAMS];

	for (int i = 0; i < STREAMS; i++)
		p[i] = (struct pollfd){ .fd = c->fd[i], .events = POLLIN };
	if (poll(p, STREAMS, MOMENT) > 0)
		for (int i = 0; i < STREAMS; i++)
			if (c->fd[i] != -1 && p[i].revents != 0)
				take(c, i);
	if (channel_is_dead()) {
		stop_all();
		_exit(1);
	}
	return c->fd[OUT] != -1 || c->fd[WORDS] != -1;
}

void child_forget(struct child *c)
{
	for (int i = 0; i < STREAMS; i++) {
		if (c->fd[i] != -1)
			close(c->fd[i]);
		c->fd[i] = -1;
	}
}

static bool reaped(struct child *c, int *status)
{
	sigset_t before;
	pid_t done;

	hold_signals(&before);
	done = waitpid(c->pid, status, WNOHANG);
	if (done == c->pid) {
		note(c->pid, 0);
		c->pid = 0;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (done == -1 && errno != EINTR)
		stop_and_fail("cannot wait for a process");
	return c->pid == 0;
}

int child_end(struct child *c, int64_t until)
{
	bool killed = false;
	int status = 0;

	while (!reaped(c, &status)) {
		if (!killed && bench_clock() > until) {
			kill(c->pid, SIGKILL);
			killed = true;
		}
		pause_a_little();
	}
	child_forget(c);
	return killed ? CHILD_HUNG : status;
}

bool child_is_gone(struct child *c)
{
	int status;

	if (c->pid == 0 || reaped(c, &status))
		return true;
	pause_a_little();
	return false;
}

/* What the words are about may be gone when everything is stopped: they are made first. */
CHANNEL_FORMAT(2, 0) static void stop_with(char reason[REASON], const char *format, va_list values)
{
	const int cause = errno;

	vsnprintf(reason, REASON, format, values);
	stop_all();
	errno = cause;
}

_Noreturn void stop_and_fail(const char *format, ...)
{
	char reason[REASON];
	va_list values;

	va_start(values, format);
	stop_with(reason, format, values);
	bench_fail("%s", reason);
}

_Noreturn void stop_because(const char *format, ...)
{
	char reason[REASON];
	va_list values;

	errno = 0;
	va_start(values, format);
	stop_with(reason, format, values);
	bench_fail("%s", reason);
}

_Noreturn void stop_and_skip(const char *format, ...)
{
	char reason[REASON];
	va_list values;

	va_start(values, format);
	stop_with(reason, format, values);
	bench_skip("%s", reason);
}
