// SPDX-License-Identifier: GPL-2.0-or-later
/* crew.c - starts, watches and ends the processes beside the emitter. */
#include "crew.h"
#include "bench.h"
#include "parts.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* One that has gone takes the others along within this time, and may say why. */
enum { GRACE_MS = 1000, LOOK_MS = 5 };

enum { RELAY, THE_RECEIVER, CREW };
static struct {
	const char *name;
	volatile pid_t pid;	/* 0: not there, or reaped */
	int status;
} crew[CREW] = { { .name = "relay" }, { .name = "receiver" } };
static int own[2];		/* the emitter's descriptors */

static void kill_all(void)
{
	for (int i = 0; i < CREW; i++)
		if (crew[i].pid != 0)
			kill(crew[i].pid, SIGKILL);
}

static void end_with_all(int number)
{
	kill_all();
	lines_restore();
	signal(number, SIG_DFL);
	raise(number);
}

/* What was ignored, as under nohup, stays so. */
static void handle_signals(void)
{
	static const int ends[] = { SIGHUP, SIGINT, SIGTERM, SIGQUIT };
	const struct sigaction act = { .sa_handler = end_with_all };
	struct sigaction before;

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		if (sigaction(ends[i], NULL, &before) == -1)
			crew_blame("cannot see what a signal does");
		if (before.sa_handler != SIG_IGN && sigaction(ends[i], &act, NULL) == -1)
			crew_blame("cannot set what a signal does");
	}
}

/* True when the process has ended, and its status is known. */
static bool reap(int which, int options)
{
	pid_t pid = 0;

	if (crew[which].pid == 0)
		return true;
	do {
		pid = waitpid(crew[which].pid, &crew[which].status, options);
	} while (pid == -1 && errno == EINTR);
	if (pid != 0)
		crew[which].pid = 0;
	if (pid == -1)
		bench_fail("cannot wait for the %s", crew[which].name);
	return pid != 0;
}

static void end_all(void)
{
	const struct timespec look = { .tv_nsec = LOOK_MS * 1000000 };

	close(own[0]);
	close(own[1]);
	for (int ms = 0; ms < GRACE_MS; ms += LOOK_MS) {
		const bool relay_ended = reap(RELAY, WNOHANG);
		if (reap(THE_RECEIVER, WNOHANG) && relay_ended)
			break;
		nanosleep(&look, NULL);
	}
	for (int i = 0; i < CREW; i++) {
		if (crew[i].pid == 0)
			continue;
		kill(crew[i].pid, SIGKILL);
		reap(i, 0);
		crew[i].status = 0;
	}
	lines_restore();
}

_Noreturn void crew_blame(const char *words)
{
	const int cause = errno;

	end_all();
	for (int i = 0; i < CREW; i++)
		if (WIFEXITED(crew[i].status) && WEXITSTATUS(crew[i].status) != 0
				&& WEXITSTATUS(crew[i].status) != LINE_ENDED)
			_exit(1);
	for (int i = 0; i < CREW; i++)
		if (WIFSIGNALED(crew[i].status))
			bench_wrong("the %s was killed by signal %d", crew[i].name,
				WTERMSIG(crew[i].status));
	errno = cause;
	bench_fail("%s", words);
}

void crew_look(void)
{
	if (channel_is_dead()) {
		kill_all();
		lines_restore();
		_exit(1);
	}
	for (int i = 0; i < CREW; i++) {
		if (!reap(i, WNOHANG))
			continue;
		errno = 0;
		crew_blame("a line has ended in the middle of a session");
	}
}

void crew_finish(void)
{
	reap(THE_RECEIVER, 0);
	if (crew[THE_RECEIVER].status == 0) {
		kill(crew[RELAY].pid, SIGTERM);
		reap(RELAY, 0);
	}
	errno = 0;
	if (crew[THE_RECEIVER].status != 0 || crew[RELAY].status != 0)
		crew_blame("a line has ended before the pass");
	lines_restore();
}

static void start(int which, const int end[ENDS], const int control[2])
{
	const pid_t pid = fork();

	if (pid == -1) {
		kill_all();
		lines_restore();
		bench_fail("cannot make a process");
	}
	if (pid != 0) {
		crew[which].pid = pid;
		return;
	}
	close(control[0]);
	if (which == RELAY) {
		close(control[1]);
		lines_keep(end, RELAY_IN, RELAY_OUT);
		relay(end[RELAY_IN], end[RELAY_OUT]);
	}
	lines_keep(end, RECEIVER, RECEIVER);
	receiver(end[RECEIVER], control[1]);
}

int crew_start(const int end[ENDS])
{
	int control[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, control) == -1)
		bench_fail("cannot make a pair of sockets");
	/* Ignored, a child's end leaves no status. A line that has gone is a failed write. */
	signal(SIGCHLD, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	start(RELAY, end, control);
	start(THE_RECEIVER, end, control);
	close(control[1]);
	lines_keep(end, EMITTER, EMITTER);
	own[0] = end[EMITTER];
	own[1] = control[0];
	handle_signals();
	return control[0];
}
