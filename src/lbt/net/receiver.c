// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * receiver.c - reads the greeting and serves the task. An alarm ends the process, wherever it is,
 * if the peer takes longer than it has asked for.
 */
#include "lbt/net/receiver.h"
#include "lbt/net/protocol.h"
#include "lbt/net/tasks.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct request {
	enum task task;
	double seconds;
};

/* A request is, for example: stream 10.000000 */
static bool is_request(const char *words, struct request *q)
{
	const size_t length = strcspn(words, " ");
	const char *seconds = words[length] == ' ' ? words + length + 1 : "";

	q->task = STREAM;
	while (q->task < TASKS && (strlen(TASK_NAMES[q->task]) != length
			|| strncmp(words, TASK_NAMES[q->task], length) != 0))
		q->task++;
	q->seconds = strtod(seconds, NULL);
	return q->task < TASKS && *seconds != '\0'
		&& seconds[strspn(seconds, "0123456789.")] == '\0' && q->seconds > 0
		&& q->seconds <= MOST_SECONDS;
}

static enum ending serve(const struct wire *w, const struct request *q)
{
	if (q->task == DATAGRAMS)
		return task_datagrams(w);
	if (!protocol_say(w, "ok"))
		return ending_broken(w);
	return q->task == STREAM ? task_stream(w) : q->task == ECHO ? task_echo(w) : SERVED;
}

static enum ending greet(const struct wire *w, const char *(*refusal)(void))
{
	char line[LINE];
	const enum wire_line heard = wire_line(w, line, GREETING_SECONDS);
	struct request q;
	const char *words, *reason;
	long protocol;

	if (heard == WIRE_ENDED || heard == WIRE_BROKEN)
		return line[0] == '\0' ? LEFT_SILENTLY : STRANGE;
	if (heard == WIRE_LATE)
		return ending_refuse(w, "no greeting has come in time", SILENT);
	words = heard == WIRE_LINE ? protocol_words(line, &protocol) : NULL;
	if (!words)
		return ending_refuse(w, "that is no greeting", STRANGE);
	if (protocol != PROTOCOL)
		return ending_refuse(w, "another protocol is spoken here", OTHER_PROTOCOL);
	if (!is_request(words, &q))
		return ending_refuse(w, "this test is not known here, or not for so long",
			UNKNOWN_TASK);
	reason = refusal ? refusal() : NULL;
	if (reason)
		return ending_refuse(w, reason, REFUSED);
	alarm((unsigned)q.seconds + GRACE_SECONDS);
	return serve(w, &q);
}

_Noreturn void receiver_serve(int fd, const char *(*refusal)(void))
{
	struct wire w;
	sigset_t none;

	/*
	 * The process that started this program may have blocked or ignored the signals that end
	 * this process.
	 */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGALRM, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	alarm(GRACE_SECONDS);
	if (wire_open(&w, fd, IDLE_SECONDS) == -1)
		_exit(LEFT);
	_exit((int)greet(&w, refusal));
}
