// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * receiver.c - the receiving side of one connection, in a process of its own: reads the greeting
 * and serves the task. It reads into buffers of fixed size, and sends data nowhere but back. An
 * alarm ends the process, wherever it is, if the peer takes longer than it has asked for.
 */
#include "lbt/net/server.h"
#include "lbt/net/protocol.h"

#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- how it ends */

/*
 * How a connection ended, as the exit status of the process that served it. Apart from 0, no other
 * part of the program exits with these numbers.
 */
enum reason {
	SERVED, STRANGE = 40, SILENT, LEFT_SILENTLY, OTHER_PROTOCOL, UNKNOWN_TASK, REFUSED, LEFT,
	IDLE, OTHER_BYTES, NO_SOCKET, REASONS
};

enum { MOST_DRAINED = 65536 };

/*
 * Tells the peer why, and returns `reason`. Unread bytes are drained first, because closing a
 * connection that has some may lose the reason on its way.
 */
static enum reason refuse(const struct wire *w, const char *text, enum reason reason)
{
	const struct wire tick = { w->fd, 1 };
	char dropped[1024];
	ssize_t n;

	if (protocol_say(w, "no %s", text) && shutdown(w->fd, SHUT_WR) == 0)
		for (ssize_t all = 0; all < MOST_DRAINED
				&& (n = wire_read(&tick, dropped, sizeof dropped)) > 0; all += n)
			continue;
	return reason;
}

/* Returns the reason for the errno of a failed read or write. */
static enum reason broken(const struct wire *w)
{
	return errno == ETIMEDOUT ? refuse(w, "nothing has come for too long", IDLE) : LEFT;
}

static const char *const WORDS[REASONS] = {
	[STRANGE] = "it is not a net program: it has sent something else than a greeting",
	[SILENT] = "it is not a net program, or it hangs: it has sent no greeting in time",
	[LEFT_SILENTLY] = "it has gone without a greeting",
	[OTHER_PROTOCOL] = "its net program is of another version: build the same Touchstone on "
		"both machines",
	[UNKNOWN_TASK] = "it has asked for a test that is not known here, or for more than a "
		"day of it",
	[REFUSED] = "this side has refused it: it is busy",
	[LEFT] = "it has gone in the middle of a test",
	[IDLE] = "it has sent nothing for too long",
	[OTHER_BYTES] = "it has sent other bytes than those of the test",
	[NO_SOCKET] = "no UDP socket could be made for it",
};

const char *exit_reason(int status)
{
	const int reason = WIFEXITED(status) ? WEXITSTATUS(status) : -1;

	if (status == 0)
		return NULL;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		return "it has taken longer than it had asked for";
	return reason >= STRANGE && reason < REASONS ? WORDS[reason] : "its process has died here";
}

/* --- datagrams */

/*
 * When the datagram that announces the end of the connection is lost, the end is noticed after
 * LOOK_MS without a datagram, or after LOOK_AFTER datagrams, however slowly they come. A number may
 * be MOST_STEP larger than the one before: what is lost between takes the peer a second each.
 */
enum { LOOK_MS = 200, LOOK_AFTER = 32, MOST_STEP = 65535 };

/*
 * The peer is the port of its machine from which the first datagram came. Port 0: nothing has come
 * yet.
 */
struct other {
	union address host;
	int port;
	uint32_t last;
};

/*
 * Opens a UDP socket at the address at which the connection arrived, with a port that the system
 * chooses. Returns -1 with errno if it cannot.
 */
static int datagrams_open(int connection, int *port)
{
	const struct timeval look = { .tv_usec = LOOK_MS * 1000 };
	union address a;
	socklen_t size = sizeof a;
	int fd;

	if (getsockname(connection, &a.any, &size) == -1)
		return -1;
	fd = socket(a.any.sa_family, SOCK_DGRAM, 0);
	tcp_set_port(&a, 0);
	if (fd == -1 || bind(fd, &a.any, size) == -1 || getsockname(fd, &a.any, &size) == -1
			|| setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &look, sizeof look) == -1)
		return -1;
	*port = tcp_port(&a);
	return fd;
}

/*
 * Notes and accepts a datagram that the peer sends in a test. Its numbers grow, so one that was
 * answered is not answered again: else a forged datagram could make two servers answer each other
 * without end.
 */
static bool is_next(struct other *o, const union address *from, const char in[DATAGRAM])
{
	uint32_t number;

	memcpy(&number, in, sizeof number);
	number = ntohl(number);
	if (number == 0 || !tcp_same_host(from, &o->host))
		return false;
	if (o->port != 0 && (o->port != tcp_port(from) || number == o->last
			|| number - o->last > MOST_STEP))
		return false;
	o->port = tcp_port(from);
	o->last = number;
	return true;
}

/*
 * Sends back each numbered datagram that comes from the peer, and no other, until the peer closes
 * its sending side. False with errno if nothing comes any more.
 */
static bool datagrams_answer(int fd, const struct wire *connection, struct report *r)
{
	struct other peer = { .port = 0 };
	union address from;
	socklen_t size = sizeof peer.host;
	char in[DATAGRAM + 1];
	int quiet = 0;

	if (getpeername(connection->fd, &peer.host.any, &size) == -1)
		return false;
	while (quiet < connection->patience * 1000 / LOOK_MS) {
		ssize_t n;
		size = sizeof from;
		n = recvfrom(fd, in, sizeof in, 0, &from.any, &size);
		if (n == DATAGRAM && is_next(&peer, &from, in)) {
			/* An answer that cannot be sent counts as lost. */
			(void)!sendto(fd, in, DATAGRAM, 0, &from.any, size);
			r->bytes += DATAGRAM;
			quiet = 0;
			if (++r->reads % LOOK_AFTER != 0)
				continue;
		}
		if (wire_has_news(connection))
			return true;
		if (n == -1 && errno != EAGAIN && errno != EINTR && errno != ECONNREFUSED)
			return false;
		quiet += n == -1;
	}
	errno = ETIMEDOUT;
	return false;
}

/* --- the tasks, after the greeting */

static enum reason report(const struct wire *w, const struct report *r)
{
	return protocol_say(w, "done %llu %llu %.6f", (unsigned long long)r->bytes,
		(unsigned long long)r->reads, r->cpu) ? SERVED : LEFT;
}

static enum reason task_stream(const struct wire *w)
{
	static unsigned char block[BLOCK], in[BLOCK];
	struct report r = { 0 };
	bool right = true;
	double before;
	ssize_t n;

	protocol_fill(block);
	for (size_t first = 0; first < BLOCK; first += (size_t)n)
		if ((n = wire_read(w, in, BLOCK - first)) <= 0)
			return n == 0 ? LEFT : broken(w);
	if (!protocol_say(w, "ready"))
		return broken(w);
	before = protocol_cpu();
	while ((n = wire_read(w, in, BLOCK)) > 0) {
		/*
		 * One octet of each read is compared, each time at another place, which costs
		 * nothing measurable.
		 */
		const unsigned at = (unsigned)r.reads++ % (unsigned)n;
		right &= in[at] == block[(r.bytes + at) % BLOCK];
		r.bytes += (uint64_t)n;
	}
	if (n == -1)
		return broken(w);
	r.cpu = protocol_cpu() - before;
	return right ? report(w, &r) : refuse(w,
		"other bytes have arrived than are sent in this test", OTHER_BYTES);
}

static enum reason task_echo(const struct wire *w)
{
	static char in[BLOCK];
	struct report r = { 0 };
	double before;
	ssize_t n = wire_read(w, in, 1);

	tcp_no_delay(w->fd);
	if (n <= 0 || wire_write(w, in, 1) == -1)
		return n == 0 ? LEFT : broken(w);
	before = protocol_cpu();
	while ((n = wire_read(w, in, BLOCK)) > 0) {
		if (wire_write(w, in, (size_t)n) == -1)
			return broken(w);
		r.bytes += (uint64_t)n;
		r.reads++;
	}
	r.cpu = protocol_cpu() - before;
	return n == -1 ? broken(w) : report(w, &r);
}

/* Reports a UDP port and answers there. */
static enum reason task_datagrams(const struct wire *w)
{
	struct report r = { 0 };
	int port;
	const int fd = datagrams_open(w->fd, &port);

	if (fd == -1)
		return refuse(w, "no UDP socket can be made here", NO_SOCKET);
	if (!protocol_say(w, "ok %d", port))
		return broken(w);
	r.cpu = -protocol_cpu();
	if (!datagrams_answer(fd, w, &r))
		return broken(w);
	r.cpu += protocol_cpu();
	return report(w, &r);
}

/* --- the greeting */

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

static enum reason serve(const struct wire *w, const struct request *q)
{
	static enum reason (*const run[TASKS])(const struct wire *) = {
		[STREAM] = task_stream, [ECHO] = task_echo, [DATAGRAMS] = task_datagrams };

	if (q->task != DATAGRAMS && !protocol_say(w, "ok"))
		return broken(w);
	return run[q->task] ? run[q->task](w) : SERVED;
}

static enum reason greet(const struct wire *w, const char *(*refusal)(void))
{
	char line[LINE];
	const enum wire_line heard = wire_line(w, line, GREETING_SECONDS);
	struct request q;
	const char *words, *refused;
	long protocol;

	if (heard == WIRE_ENDED || heard == WIRE_BROKEN)
		return line[0] == '\0' ? LEFT_SILENTLY : STRANGE;
	if (heard == WIRE_LATE)
		return refuse(w, "no greeting has come in time", SILENT);
	words = heard == WIRE_LINE ? protocol_words(line, &protocol) : NULL;
	if (!words)
		return refuse(w, "that is not a greeting", STRANGE);
	if (protocol != PROTOCOL)
		return refuse(w, "another protocol is spoken here", OTHER_PROTOCOL);
	if (!is_request(words, &q))
		return refuse(w, "this test is not known here, or not for that time",
			UNKNOWN_TASK);
	refused = refusal ? refusal() : NULL;
	if (refused)
		return refuse(w, refused, REFUSED);
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
