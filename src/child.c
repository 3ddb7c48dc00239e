// SPDX-License-Identifier: GPL-2.0-or-later
/* child.c - start, listen to, end and reap other processes; child.h is the manual. */
#include "child.h"
#include "bench.h"
#include "tidy.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

/* LOOK: milliseconds between two checks whether a child has ended. */
enum { LOOK = 2 };
static const int64_t MERCY = 2000000000;

/*
 * All running children, the newest first. A signal handler walks the list, so it changes only
 * while signals are blocked: no handler finds a child that has been forked but not entered, or
 * that has ended but is still listed.
 */
static struct child *children;
static pid_t owner;

/* Reads what has come; a stream that cannot be read any more counts as ended. */
static void take(struct child_stream *s)
{
	char block[CHILD_BLOCK];
	const ssize_t n = read(s->fd, block, sizeof block);
	const size_t left = s->room - 1 - s->used;

	if (n > 0) {
		const size_t kept = (size_t)n < left ? (size_t)n : left;

		memcpy(s->text + s->used, block, kept);
		s->used += kept;
		s->text[s->used] = '\0';
	} else if (n == 0 || errno != EINTR) {
		close(s->fd);
		s->fd = 0;
	}
}

bool child_listen(struct child *c, int ms)
{
	struct pollfd p[CHILD_STREAMS];

	for (int i = 0; i < CHILD_STREAMS; i++) {
		const int fd = c->stream[i].fd;

		p[i] = (struct pollfd){ .fd = fd != 0 ? fd : -1, .events = POLLIN };
	}
	if (poll(p, CHILD_STREAMS, ms) > 0)
		for (int i = 0; i < CHILD_STREAMS; i++)
			if (p[i].fd != -1 && p[i].revents != 0)
				take(&c->stream[i]);
	return c->stream[CHILD_OUT].fd != 0 || c->stream[CHILD_ERR].fd != 0;
}

void child_ignore(struct child *c)
{
	for (int i = 0; i < CHILD_STREAMS; i++) {
		if (c->stream[i].fd != 0)
			close(c->stream[i].fd);
		c->stream[i].fd = 0;
	}
}

/*
 * The process id of an ended child is not free for reuse until the child is off the list as well.
 */
bool child_ended(struct child *c)
{
	struct child **at = &children;
	sigset_t all, before;
	pid_t done;

	if (c->pid == 0)
		return true;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	done = waitpid(c->pid, &c->status, WNOHANG);
	if (done == c->pid) {
		while (*at != c)
			at = &(*at)->next;
		*at = c->next;
		c->pid = 0;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (done == -1 && errno != EINTR)
		bench_fail("cannot wait for a process");
	return c->pid == 0;
}

int child_wait(struct child *c)
{
	siginfo_t info;

	/* waitid waits while signals can arrive; child_ended reaps while they are blocked. */
	while (c->pid != 0 && waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOWAIT) == -1)
		if (errno != EINTR)
			bench_fail("cannot wait for a process");
	while (!child_ended(c))
		continue;
	child_ignore(c);
	return c->status;
}

int child_end(struct child *c, int64_t until)
{
	while (!child_ended(c)) {
		if (bench_clock() > until) {
			kill(c->pid, SIGKILL);
			child_wait(c);
			return CHILD_HUNG;
		}
		poll(NULL, 0, LOOK);
	}
	child_ignore(c);
	return c->status;
}

/*
 * This and the functions down to end_all run in a signal handler. The output ends when all that
 * the child has started have ended, so its end is awaited too, and it is read meanwhile: a process
 * that cannot write does not end. True when the child is reaped.
 */
static bool ends_in_time(struct child *c, int64_t until)
{
	bool ended = false, heard = true;

	while ((!ended || heard) && bench_clock() < until) {
		heard = child_listen(c, LOOK);
		ended = ended || waitpid(c->pid, NULL, WNOHANG) != 0;
	}
	return ended;
}

static void end_all(void)
{
	const int64_t until = bench_clock() + MERCY;

	if (getpid() != owner)
		return;
	for (const struct child *c = children; c; c = c->next)
		kill(c->pid, c->mercy ? SIGTERM : SIGKILL);
	for (struct child *c = children; c; c = c->next) {
		if (c->mercy && ends_in_time(c, until))
			continue;
		kill(c->pid, SIGKILL);
		while (waitpid(c->pid, NULL, 0) == -1 && errno == EINTR)
			continue;
	}
	children = NULL;
}

/*
 * The process that started this one may ignore the end of its children, and that is inherited;
 * then no child could be waited for.
 */
static void prepare(void)
{
	if (owner == getpid())
		return;
	children = NULL;
	owner = getpid();
	signal(SIGCHLD, SIG_DFL);
	bench_tidy(end_all);
}

/*
 * Ends the child when its parent dies, since no handler runs after SIGKILL. Systems without this
 * call let the child go on until its work or its pipe ends.
 */
#if defined(__linux__)
static void end_with(pid_t parent, int number)
{
	prctl(PR_SET_PDEATHSIG, number);
	if (getppid() != parent)
		_exit(1);
}
#else
static void end_with(pid_t parent, int number)
{
	(void)parent;
	(void)number;
}
#endif

/*
 * Forks and enters the child into the list. True in the child. Signals stay blocked in both
 * processes.
 */
static bool noted_fork(struct child *c, sigset_t *before)
{
	const pid_t parent = getpid();
	sigset_t all;

	prepare();
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, before);
	c->pid = fork();
	if (c->pid == 0) {
		end_with(parent, c->mercy ? SIGTERM : SIGKILL);
		return true;
	}
	if (c->pid == -1)
		bench_fail("cannot make a process");
	c->next = children;
	children = c;
	return false;
}

bool child_fork(struct child *c)
{
	sigset_t before;
	const bool in_child = noted_fork(c, &before);

	sigprocmask(SIG_SETMASK, &before, NULL);
	return in_child;
}

/*
 * Makes a pipe whose ends are above the standard streams, even if those are closed, and are closed
 * by an exec.
 */
static void make_pipe(int fd[2])
{
	int low[2];

	if (pipe(low) == -1)
		bench_fail("cannot make a pipe");
	for (int i = 0; i < 2; i++) {
		fd[i] = fcntl(low[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		if (fd[i] == -1)
			bench_fail("cannot make a pipe");
		close(low[i]);
	}
}

/* An exec resets handlers, but ignored signals stay ignored: these two must not. */
static void normal_signals(void)
{
	sigset_t none;

	signal(SIGPIPE, SIG_DFL);
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static bool empty_input(void)
{
	const int in = open("/dev/null", O_RDONLY);

	return in == STDIN_FILENO || (in != -1 && dup2(in, STDIN_FILENO) != -1 && close(in) == 0);
}

/* `out` or `err` is 0 when the child keeps that stream of this process. */
static _Noreturn void become(const char *const words[], int out, int err, int trouble)
{
	int cause;

	normal_signals();
	if (empty_input() && (out == 0 || dup2(out, STDOUT_FILENO) != -1) &&
			(err == 0 || dup2(err, STDERR_FILENO) != -1))
		execvp(words[0], (char *const *)words);
	cause = errno;
	_exit(write(trouble, &cause, sizeof cause) == sizeof cause ? 1 : 2);
}

/* Returns the child's end of the stream, or 0 if nobody listens. */
static int open_stream(struct child_stream *s)
{
	int fd[2] = { 0, 0 };

	s->used = 0;
	if (s->text) {
		make_pipe(fd);
		s->text[0] = '\0';
	}
	s->fd = fd[0];
	return fd[1];
}

int child_start(struct child *c, const char *const words[])
{
	int to[CHILD_STREAMS], trouble[2], cause = 0;
	sigset_t before;

	for (int i = 0; i < CHILD_STREAMS; i++)
		to[i] = open_stream(&c->stream[i]);
	make_pipe(trouble);
	if (noted_fork(c, &before))
		become(words, to[CHILD_OUT], to[c->merged ? CHILD_OUT : CHILD_ERR], trouble[1]);
	sigprocmask(SIG_SETMASK, &before, NULL);
	for (int i = 0; i < CHILD_STREAMS; i++)
		if (to[i] != 0)
			close(to[i]);
	close(trouble[1]);
	/* An exec that succeeds closes the pipe, and then this reads nothing. */
	while (read(trouble[0], &cause, sizeof cause) == -1 && errno == EINTR)
		continue;
	close(trouble[0]);
	if (cause != 0)
		child_wait(c);
	return cause;
}
