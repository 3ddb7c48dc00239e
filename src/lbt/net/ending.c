// SPDX-License-Identifier: GPL-2.0-or-later
/* ending.c - what to tell the peer, and what to tell the operator about the peer. */
#include "lbt/net/ending.h"
#include "lbt/net/protocol.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

enum { MOST_DRAINED = 65536 };

/*
 * Unread octets are drained first, because closing a connection that has some may lose the reason
 * on its way.
 */
enum ending ending_refuse(const struct wire *w, const char *reason, enum ending ending)
{
	const struct wire tick = { w->fd, 1 };
	char dropped[1024];
	ssize_t n;

	if (protocol_say(w, "no %s", reason) && shutdown(w->fd, SHUT_WR) == 0)
		for (ssize_t all = 0; all < MOST_DRAINED
				&& (n = wire_read(&tick, dropped, sizeof dropped)) > 0; all += n)
			continue;
	return ending;
}

enum ending ending_broken(const struct wire *w)
{
	return errno == ETIMEDOUT ? ending_refuse(w, "nothing has come for too long", IDLE) : LEFT;
}

static const char *const WORDS[ENDINGS] = {
	[STRANGE] = "it is no net program: it has sent something else than a greeting",
	[SILENT] = "it is no net program, or it hangs: it has sent no greeting in time",
	[LEFT_SILENTLY] = "it has gone without a greeting",
	[OTHER_PROTOCOL] = "its net program is of another version: build the same Touchstone on "
		"both machines",
	[UNKNOWN_TASK] = "it has asked for a test that is not known here, or for more than a "
		"day of it",
	[REFUSED] = "it was told that this side is busy",
	[LEFT] = "it has gone in the middle of a test",
	[IDLE] = "it has sent nothing for too long",
	[OTHER_OCTETS] = "it has sent other octets than those of the test",
	[NO_SOCKET] = "no UDP socket could be made for it",
};

const char *ending_words(int status)
{
	const int ending = WIFEXITED(status) ? WEXITSTATUS(status) : -1;

	if (status == 0)
		return NULL;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		return "it has taken longer than it had asked for";
	return ending >= STRANGE && ending < ENDINGS ? WORDS[ending] : "its process has died here";
}
