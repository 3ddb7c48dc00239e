// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * protocol.c - the lines of protocol.h, as both sides use them, over sockets on which no call
 * waits for ever.
 */
#include "lbt/net/protocol.h"
#include "bench.h"

#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* --- reads and writes with a time limit */

static const int64_t SECOND_NS = 1000000000;

/* A call returns after a second at the latest, so that it can be abandoned. */
int wire_open(struct wire *w, int fd, int patience)
{
	const struct timeval tick = { .tv_sec = 1 };

	*w = (struct wire){ fd, patience };
	if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tick, sizeof tick) == -1)
		return -1;
	return setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &tick, sizeof tick);
}

static bool may_go_on(const struct wire *w, int *waited)
{
	if (errno == EINTR)
		return true;
	if (errno != EAGAIN)
		return false;
	if (channel_is_dead())
		channel_leave(1);
	errno = ETIMEDOUT;
	return ++*waited < w->patience;
}

ssize_t wire_read(const struct wire *w, void *to, size_t size)
{
	int waited = 0;
	ssize_t n;

	while ((n = read(w->fd, to, size)) == -1 && may_go_on(w, &waited))
		continue;
	return n;
}

int wire_write(const struct wire *w, const void *data, size_t size)
{
	const char *from = data;
	int waited = 0, calls = 0;

	while (size > 0) {
		const ssize_t n = write(w->fd, from, size);
		if (n == -1 && !may_go_on(w, &waited))
			return -1;
		if (n > 0) {
			from += n;
			size -= (size_t)n;
			waited = 0;
			calls++;
		}
	}
	return calls;
}

/*
 * Reads one octet at a time, since anything after the line belongs to the test. The time limit is
 * for the whole line, however slowly it arrives.
 */
enum wire_line wire_line(const struct wire *w, char text[LINE], int seconds)
{
	const struct wire tick = { w->fd, 1 };
	const int64_t stop = bench_clock() + seconds * SECOND_NS;
	size_t used = 0;
	ssize_t n;
	char c;

	do {
		text[used] = '\0';
		n = wire_read(&tick, &c, 1);
		if (n == 0)
			return WIRE_ENDED;
		if (n == -1 && errno != ETIMEDOUT)
			return WIRE_BROKEN;
		if (n == 1 && c == '\n')
			return WIRE_LINE;
		if (n == 1 && (c < ' ' || c > '~' || used == LINE - 1))
			return WIRE_NO_LINE;
		if (n == 1)
			text[used++] = c;
	} while (bench_clock() < stop);
	text[used] = '\0';
	return WIRE_LATE;
}

bool wire_has_news(const struct wire *w)
{
	struct pollfd p = { .fd = w->fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1;
}

/* --- sockets and their addresses: the functions that cannot hang */

/* There is room for strangers besides the one expected connection. */
enum { BACKLOG = 16 };

static bool read_port(const char *text, int *port)
{
	const size_t digits = strspn(text, "0123456789");

	if (digits == 0 || digits > 5 || text[digits] != '\0')
		return false;
	*port = atoi(text);
	return *port >= 1 && *port <= 65535;
}

/* An IPv6 address needs brackets, since its colons could not be told from that before a port. */
bool tcp_place(const char *text, struct place *p)
{
	const bool brackets = text[0] == '[';
	const char *host = text + brackets;
	const size_t length = strcspn(host, brackets ? "]" : ":");
	const char *rest = host + length;

	if (length == 0 || length >= HOST || (brackets && *rest++ != ']'))
		return false;
	memcpy(p->host, host, length);
	p->host[length] = '\0';
	p->port = DEFAULT_PORT;
	return *rest == '\0' || (*rest == ':' && read_port(rest + 1, &p->port));
}

/* The accepting end compares addresses, because any process may connect to a port of loopback. */
static int accept_from(int listener, int client)
{
	union address mine, other;
	socklen_t size = sizeof mine, other_size = sizeof other;
	int fd;

	if (getsockname(client, &mine.any, &size) == -1)
		return -1;
	while ((fd = accept(listener, &other.any, &other_size)) != -1) {
		if (mine.v4.sin_port == other.v4.sin_port && tcp_same_host(&mine, &other))
			return fd;
		close(fd);
		other_size = sizeof other;
	}
	return -1;
}

int tcp_pair(int fd[2])
{
	union address a = {
		.v4 = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } } };
	socklen_t size = sizeof a.v4;
	const int listener = socket(AF_INET, SOCK_STREAM, 0);

	fd[0] = socket(AF_INET, SOCK_STREAM, 0);
	if (listener == -1 || fd[0] == -1 || bind(listener, &a.any, size) == -1
			|| listen(listener, BACKLOG) == -1
			|| getsockname(listener, &a.any, &size) == -1
			|| connect(fd[0], &a.any, size) == -1)
		return -1;
	fd[1] = accept_from(listener, fd[0]);
	close(listener);
	return fd[1] == -1 ? -1 : 0;
}

void tcp_no_delay(int fd)
{
	const int on = 1;
	union address a;
	socklen_t size = sizeof a;

	if (getsockname(fd, &a.any, &size) == -1 || a.any.sa_family == AF_UNIX)
		return;
	if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == -1)
		bench_fail("cannot set TCP_NODELAY");
}

void tcp_name(const union address *a, socklen_t size, char name[ADDRESS])
{
	if (getnameinfo(&a->any, size, name, ADDRESS, NULL, 0, NI_NUMERICHOST) != 0)
		snprintf(name, ADDRESS, "an unknown address");
}

int tcp_port(const union address *a)
{
	return ntohs(a->any.sa_family == AF_INET6 ? a->v6.sin6_port : a->v4.sin_port);
}

void tcp_set_port(union address *a, int port)
{
	if (a->any.sa_family == AF_INET6)
		a->v6.sin6_port = htons((uint16_t)port);
	else
		a->v4.sin_port = htons((uint16_t)port);
}

bool tcp_same_host(const union address *a, const union address *b)
{
	if (a->any.sa_family != b->any.sa_family)
		return false;
	if (a->any.sa_family == AF_INET6)
		return memcmp(&a->v6.sin6_addr, &b->v6.sin6_addr, sizeof a->v6.sin6_addr) == 0;
	return a->v4.sin_addr.s_addr == b->v4.sin_addr.s_addr;
}

/* --- the lines */

enum { MOST_DIGITS = 9 };
static const char MAGIC[] = "touchstone-net", DIGITS[] = "0123456789";

const char *const TASK_NAMES[TASKS] = { "stream", "echo", "datagrams", "check" };

bool protocol_say(const struct wire *w, const char *format, ...)
{
	char line[LINE];
	va_list values;
	int used = snprintf(line, sizeof line, "%s %d ", MAGIC, PROTOCOL);

	va_start(values, format);
	used += vsnprintf(line + used, sizeof line - (size_t)used, format, values);
	va_end(values);
	if (used > LINE - 1)
		used = LINE - 1;
	line[used++] = '\n';
	return wire_write(w, line, (size_t)used) != -1;
}

const char *protocol_words(const char *line, long *protocol)
{
	const size_t magic = strlen(MAGIC);
	const char *number = line + magic + 1;
	size_t digits;

	if (strncmp(line, MAGIC, magic) != 0 || line[magic] != ' ')
		return NULL;
	digits = strspn(number, DIGITS);
	if (digits == 0 || digits > MOST_DIGITS
			|| (number[digits] != ' ' && number[digits] != '\0'))
		return NULL;
	*protocol = strtol(number, NULL, 10);
	return number[digits] == ' ' ? number + digits + 1 : number + digits;
}

bool protocol_read_report(const char *words, struct report *r)
{
	int end = 0;

	if (words[strspn(words, "0123456789. ")] != '\0')
		return false;
	return sscanf(words, "%18" SCNu64 " %18" SCNu64 " %18lf%n", &r->bytes, &r->reads, &r->cpu,
		&end) == 3 && words[end] == '\0';
}

/* No 256 bytes are like those before, so that a shift by any number of bytes is noticed. */
void protocol_fill(unsigned char block[BLOCK])
{
	for (int i = 0; i < BLOCK; i++)
		block[i] = (unsigned char)(i * 31 + i / 256 * 7);
}

double protocol_cpu(void)
{
	struct rusage self;

	getrusage(RUSAGE_SELF, &self);
	return (double)(self.ru_utime.tv_sec + self.ru_stime.tv_sec)
		+ (double)(self.ru_utime.tv_usec + self.ru_stime.tv_usec) / 1e6;
}
