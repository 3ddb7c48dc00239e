// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * channel.c - how a measured program reports; channel.h shows the lines.
 *
 * It uses no heap and no buffered output: Dhrystone's records must be the first allocations of
 * their process, and lines may be printed from a signal handler.
 */
#include "channel.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/*
 * LINE stays below PIPE_BUF, so that lines of many copies do not mix in the pipe that they share.
 */
enum { LINE = 480 };
/*
 * The harness looks at the clock about as often as there are slices at most. A look that is a
 * little too early, by this part of the window, must not make one slice of two.
 */
enum { MOST_SLICES = 100, KEPT_SLICES = 160 };
static const double EARLY = 0.0025;

struct slice {
	int64_t when, cpu;
	uint64_t count;
};

/* A process has one channel; bench_fail is called from places that know no struct. */
static struct {
	const char *copy;	/* NULL when the program is run by hand */
	int result;
	bool live;
	int wanted;		/* slices in a run; 0: none */
	int64_t shortest;	/* nanoseconds of a slice */
	int64_t last_slice;
	int kept;
	struct slice slice[KEPT_SLICES];
} channel = { .result = STDERR_FILENO };
void (*channel_tidy)(void);

_Noreturn void channel_leave(int status)
{
	if (channel_tidy)
		channel_tidy();
	_exit(status);
}

int channel_descriptor(const char *name)
{
	const char *text = getenv(name);
	const bool number = text && *text != '\0' && text[strspn(text, "0123456789")] == '\0';
	const int fd = number ? atoi(text) : -1;

	if (text && (!number || fcntl(fd, F_SETFD, FD_CLOEXEC) == -1))
		bench_fail("%s is '%.20s', which is not an open descriptor", name, text);
	return fd;
}

void channel_open(void)
{
	const char *slices = getenv("TS_SLICES"), *copy = getenv("TS_COPY");
	const int wanted = slices ? atoi(slices) : 0;
	const int result = channel_descriptor("TS_RESULT");

	if (result != -1) {
		channel.result = result;
		channel.copy = copy ? copy : "0";
	}
	channel.wanted = wanted < 0 ? 0 : wanted == 1 || wanted > MOST_SLICES ? MOST_SLICES : wanted;
}

CHANNEL_FORMAT(1, 0) static void say_values(const char *format, va_list values)
{
	char line[LINE];
	size_t used = 0;
	int n;

	if (channel.copy)
		used = (size_t)snprintf(line, sizeof line, "%.20s|", channel.copy);
	n = vsnprintf(line + used, sizeof line - used - 1, format, values);
	used += n < 0 ? 0 : (size_t)n;
	if (used > sizeof line - 2)
		used = sizeof line - 2;
	line[used++] = '\n';
	for (size_t sent = 0; sent < used;) {
		const ssize_t w = write(channel.result, line + sent, used - sent);
		if (w == -1 && errno != EINTR)
			channel_leave(1);
		if (w > 0)
			sent += (size_t)w;
	}
}

void channel_say(const char *format, ...)
{
	va_list values;

	va_start(values, format);
	say_values(format, values);
	va_end(values);
}

static void send_slices(void)
{
	for (int i = 0; i < channel.kept; i++)
		channel_say("SLICE|%" PRId64 "|%" PRIu64 "|%" PRId64, channel.slice[i].when,
			channel.slice[i].count, channel.slice[i].cpu);
	channel.kept = 0;
}

/* Nanoseconds of CPU time of this process, which go on over an exec; 0 where it is unknown. */
static int64_t cpu_time(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) == -1)
		return 0;
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* A run that takes longer than it should has longer slices: every second one goes. */
static void make_room(void)
{
	for (int i = 1; i < KEPT_SLICES / 2; i++)
		channel.slice[i] = channel.slice[2 * i];
	channel.kept = KEPT_SLICES / 2;
	channel.shortest *= 2;
}

/* Slices are kept until the end, so that nothing is written while the clock runs. */
static void add_slice(int64_t when, uint64_t count)
{
	if (channel.kept == KEPT_SLICES)
		make_room();
	channel.slice[channel.kept++] = (struct slice){ when, cpu_time(), count };
	channel.last_slice = when;
	if (channel.live)
		send_slices();
}

static void set_window(int64_t window)
{
	if (channel.wanted > 0)
		channel.shortest = (int64_t)((double)window * (1.0 / channel.wanted - EARLY));
}

void channel_start(int64_t when, int64_t window)
{
	set_window(window);
	if (channel.wanted > 0)
		add_slice(when, 0);
}

void channel_slice(int64_t when, uint64_t count)
{
	if (channel.wanted > 0 && when - channel.last_slice >= channel.shortest)
		add_slice(when, count);
}

void channel_last_slice(int64_t when, uint64_t count)
{
	if (channel.wanted > 0 && when > channel.last_slice)
		add_slice(when, count);
	send_slices();
}

bool channel_is_dead(void)
{
	struct pollfd p = { .fd = channel.result };

	return channel.copy && poll(&p, 1, 0) == 1 && (p.revents & (POLLERR | POLLHUP | POLLNVAL));
}

void channel_keep(void)
{
	send_slices();
	if (channel.copy)
		fcntl(channel.result, F_SETFD, 0);
}

int64_t channel_last_time(void)
{
	return channel.last_slice;
}

void channel_resume(int64_t last_slice, int64_t window)
{
	set_window(window);
	channel.last_slice = last_slice;
	channel.live = true;
}

/* Does not call exit, because the caller may be the child of a measured program. */
CHANNEL_FORMAT(3, 0)
static _Noreturn void leave(int status, const char *word, const char *format, va_list values)
{
	char why[LINE - 40];
	const int cause = errno;

	vsnprintf(why, sizeof why, format, values);
	if (cause != 0)
		channel_say("%s%s: %s", word, why, strerror(cause));
	else
		channel_say("%s%s", word, why);
	channel_leave(status);
}

_Noreturn void bench_fail(const char *format, ...)
{
	va_list values;

	va_start(values, format);
	leave(1, "ERROR|", format, values);
}

_Noreturn void bench_wrong(const char *format, ...)
{
	va_list values;

	errno = 0;
	va_start(values, format);
	leave(1, "ERROR|wrong result: ", format, values);
}

_Noreturn void bench_skip(const char *format, ...)
{
	va_list values;

	errno = 0;
	va_start(values, format);
	leave(77, "SKIP|", format, values);
}
