// SPDX-License-Identifier: GPL-2.0-or-later
/* peer.c - finds the receiving side, talks to it, and reports what is wrong with it. */
#include "lbt/net/peer.h"
#include "child.h"
#include "lbt/net/server.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- a connection to another machine within seconds, or why there is none and what to do */

enum { NAME_SECONDS = 10, CONNECT_SECONDS = 5, MOST_ADDRESSES = 4 };

/* The handler of the alarm prints this name. */
static const char *sought;

static void on_alarm(int signal)
{
	(void)signal;
	errno = 0;
	bench_fail("cannot find the address of '%s': no name server has answered within %d seconds",
		sought, NAME_SECONDS);
}

/* The library waits for name servers as long as it likes, so an alarm limits it. */
static struct addrinfo *find(const struct place *p)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *found;
	char port[8];
	int trouble;

	sought = p->host;
	snprintf(port, sizeof port, "%d", p->port);
	signal(SIGALRM, on_alarm);
	alarm(NAME_SECONDS);
	trouble = getaddrinfo(p->host, port, &hints, &found);
	alarm(0);
	signal(SIGALRM, SIG_DFL);
	if (trouble == 0)
		return found;
	if (trouble != EAI_SYSTEM)
		errno = 0;
	bench_fail("cannot find the address of '%s'%s%s", p->host, errno ? "" : ": ",
		errno ? "" : gai_strerror(trouble));
}

static bool is_connected(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	int cause;
	socklen_t size = sizeof cause;

	for (int second = 0; second < CONNECT_SECONDS; second++) {
		if (poll(&p, 1, 1000) == 1) {
			if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &cause, &size) == 0)
				errno = cause;
			return errno == 0;
		}
		if (channel_is_dead())
			channel_leave(1);
	}
	errno = ETIMEDOUT;
	return false;
}

/* Returns a descriptor, or -1 with errno. */
static int try(const struct addrinfo *a)
{
	const int fd = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
	int cause;

	if (fd == -1)
		return -1;
	errno = 0;
	if (fcntl(fd, F_SETFL, O_NONBLOCK) == 0
			&& (connect(fd, a->ai_addr, a->ai_addrlen) == 0
				|| (errno == EINPROGRESS && is_connected(fd)))
			&& fcntl(fd, F_SETFL, 0) == 0)
		return fd;
	cause = errno;
	close(fd);
	errno = cause;
	return -1;
}

static _Noreturn void complain(const struct place *p)
{
	const int cause = errno;
	char option[16] = "";

	errno = 0;
	if (p->port != DEFAULT_PORT)
		snprintf(option, sizeof option, " --port %d", p->port);
	if (cause == ECONNREFUSED)
		bench_fail("nothing listens at '%s' port %d: start 'pgms/net --serve --bind "
			"ADDR%s' there", p->host, p->port, option);
	if (cause == ETIMEDOUT)
		bench_fail("no answer from '%s' port %d within %d seconds: is the machine up, and "
			"does no firewall drop the port?", p->host, p->port, CONNECT_SECONDS);
	errno = cause;
	bench_fail("cannot reach '%s' port %d", p->host, p->port);
}

static int tcp_connect(const struct place *p)
{
	struct addrinfo *const found = find(p), *a = found;
	int fd = -1;

	for (int tried = 0; a && fd == -1 && tried < MOST_ADDRESSES; tried++, a = a->ai_next)
		fd = try(a);
	if (fd == -1)
		complain(p);
	freeaddrinfo(found);
	return fd;
}

/* --- the peer */

/* A program has at most one peer of its own. */
static struct child receiving;

void peer_there(struct peer *p, const struct place *place)
{
	*p = (struct peer){ 0 };
	snprintf(p->name, sizeof p->name, "'%s' port %d", place->host, place->port);
	if (wire_open(&p->wire, tcp_connect(place), IDLE_SECONDS) == -1)
		bench_fail("cannot set the timeouts of a connection");
}

void peer_here(struct peer *p, bool by_tcp)
{
	int fd[2];

	*p = (struct peer){ .name = "the receiving process", .is_here = true };
	if ((by_tcp ? tcp_pair(fd) : socketpair(AF_UNIX, SOCK_STREAM, 0, fd)) == -1)
		bench_fail(by_tcp ? "cannot connect to this machine's own loopback address"
			: "cannot make a pair of sockets");
	if (child_fork(&receiving)) {
		close(fd[0]);
		bench_pin(1);
		receiver_serve(fd[1], NULL);
	}
	close(fd[1]);
	if (wire_open(&p->wire, fd[0], IDLE_SECONDS) == -1)
		bench_fail("cannot set the timeouts of a connection");
}

static const char *words_of(const struct peer *p, const char *line)
{
	long protocol;
	const char *words = protocol_words(line, &protocol);

	errno = 0;
	if (!words)
		bench_fail("%s is not 'net --serve': it prints '%s'", p->name, line);
	if (protocol != PROTOCOL)
		bench_fail("%s is a net program of another version, whose protocol is %ld and not "
			"%d: build the same Touchstone on both machines", p->name, protocol,
			PROTOCOL);
	if (strncmp(words, "no ", 3) == 0)
		bench_fail("%s says: %s", p->name, words + 3);
	return words;
}

/* A process that has ended keeps its own status; one that hangs is killed here. */
static void blame_child(const struct peer *p, int cause)
{
	int status;

	kill(receiving.pid, SIGKILL);
	status = child_wait(&receiving);
	errno = 0;
	if (cause != ETIMEDOUT && WIFSIGNALED(status))
		bench_fail("%s was killed by signal %d", p->name, WTERMSIG(status));
}

_Noreturn void peer_lost(const struct peer *p, ssize_t n)
{
	const int cause = n == 0 ? 0 : errno;
	char line[LINE];

	/* The peer may have sent its reason before it ended. */
	if (cause != ETIMEDOUT && wire_line(&p->wire, line, 1) == WIRE_LINE)
		words_of(p, line);
	if (p->is_here)
		blame_child(p, cause);
	errno = 0;
	if (cause == ETIMEDOUT)
		bench_fail("%s has neither sent nor taken anything for %d seconds", p->name,
			p->wire.patience);
	errno = cause == EPIPE ? 0 : cause;
	if (!p->is_greeted)
		bench_fail("%s has ended the connection without an answer: it is something else "
			"than 'net --serve', or has no room left", p->name);
	bench_fail("%s has ended the connection in the middle of the test", p->name);
}

const char *peer_hear(const struct peer *p, const char *word, char line[LINE], int seconds)
{
	const enum wire_line heard = wire_line(&p->wire, line, seconds);
	const size_t length = strlen(word);
	const bool gone = heard == WIRE_BROKEN || heard == WIRE_ENDED;
	const char *words;

	if (gone && line[0] == '\0')
		peer_lost(p, heard == WIRE_ENDED ? 0 : -1);
	errno = 0;
	if (heard == WIRE_LATE)
		bench_fail("%s hangs, or is something else than 'net --serve': no answer within %d "
			"seconds", p->name, seconds);
	words = words_of(p, line);
	if (heard != WIRE_LINE || strncmp(words, word, length) != 0
			|| (words[length] != ' ' && words[length] != '\0'))
		bench_fail("%s says '%s' where '%s' is due", p->name, words, word);
	return words + length;
}

void peer_greet(struct peer *p, enum task task, double seconds)
{
	char line[LINE];

	if (!protocol_say(&p->wire, "%s %.6f", TASK_NAMES[task], seconds))
		peer_lost(p, -1);
	p->udp_port = atoi(peer_hear(p, "ok", line, GREETING_SECONDS));
	p->is_greeted = true;
}

void peer_stop(const struct peer *p)
{
	if (shutdown(p->wire.fd, SHUT_WR) == -1)
		peer_lost(p, -1);
}

void peer_report(const struct peer *p, struct report *r)
{
	char line[LINE];
	const char *words = peer_hear(p, "done", line, GRACE_SECONDS);

	errno = 0;
	if (!protocol_read_report(words, r))
		bench_fail("%s gives a report that cannot be read: '%s'", p->name, words);
}

void peer_leave(const struct peer *p, const struct bench *b, const struct report *r)
{
	const double cpu = protocol_cpu() - b->used[0] - b->used[1];

	if (p->is_here) {
		const int status = child_wait(&receiving);
		errno = 0;
		if (status != 0)
			bench_wrong("%s has ended with wait status %d", p->name, status);
	}
	channel_say("FIGURE|sender_cpu|%.9g", cpu);
	channel_say("FIGURE|receiver_cpu|%.9g", r->cpu);
}
