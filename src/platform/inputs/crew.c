// SPDX-License-Identifier: GPL-2.0-or-later
/* crew.c - starts, watches and ends the processes besides the emitter. */
#include "platform/inputs/crew.h"
#include "bench.h"
#include "child.h"
#include "platform/inputs/parts.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RELAY, THE_RECEIVER, CREW };
static const char *const names[CREW] = { "relay", "receiver" };
/* When a process dies, the others follow within this time, and one may report why. */
static const int64_t GRACE = 1000000000;

static struct child crew[CREW];
static int own[2];		/* the emitter's own descriptors */

_Noreturn void crew_blame(const char *words)
{
	const int64_t until = bench_clock() + GRACE;
	const int cause = errno;
	int status[CREW];

	close(own[0]);
	close(own[1]);
	for (int i = 0; i < CREW; i++)
		status[i] = child_end(&crew[i], until);
	for (int i = 0; i < CREW; i++)
		if (status[i] != CHILD_HUNG && WIFEXITED(status[i]) && WEXITSTATUS(status[i]) != 0
				&& WEXITSTATUS(status[i]) != LINE_ENDED)
			channel_leave(1);
	errno = 0;
	for (int i = 0; i < CREW; i++)
		if (status[i] != CHILD_HUNG && WIFSIGNALED(status[i]))
			bench_wrong("the %s was killed by signal %d", names[i], WTERMSIG(status[i]));
	errno = cause;
	bench_fail("%s", words);
}

void crew_look(void)
{
	for (int i = 0; i < CREW; i++) {
		if (!child_ended(&crew[i]))
			continue;
		errno = 0;
		crew_blame("a line has ended in the middle of a session");
	}
}

void crew_finish(void)
{
	if (child_wait(&crew[THE_RECEIVER]) == 0)
		kill(crew[RELAY].pid, SIGTERM);
	errno = 0;
	if (crew[THE_RECEIVER].status != 0 || child_wait(&crew[RELAY]) != 0)
		crew_blame("a line has ended before the pass");
}

static void start(int which, const int end[ENDS], const int control[2])
{
	if (!child_fork(&crew[which]))
		return;
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
	/* A broken line must show as a failed write. */
	signal(SIGPIPE, SIG_IGN);
	start(RELAY, end, control);
	start(THE_RECEIVER, end, control);
	close(control[1]);
	lines_keep(end, EMITTER, EMITTER);
	own[0] = end[EMITTER];
	own[1] = control[0];
	return control[0];
}
