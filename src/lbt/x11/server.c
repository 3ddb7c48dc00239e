// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * server.c - Xvfb from its start to its first client.
 *
 * With -terminate it ends behind its last client. Between two runs of x11perf that would be at
 * once, so x11 is a client too: it says hello, keeps the connection and never asks for anything.
 * When x11 ends, in whichever way, the kernel closes it. Before, Xvfb ends because it can tell
 * nobody its number. In the twentieth of a second between the two a SIGKILL of x11 would leave it;
 * there, on Linux, Xvfb is told (child.c).
 */
#include "server.h"
#include "bench.h"
#include "child.h"
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* PATIENCE in seconds: Xvfb needs 0.2 s on an idle machine. */
enum { PATIENCE = 15, MAX_DISPLAY = 65535, SUCCESS = 1 };
static const int64_t SECOND = 1000000000;

static struct child server;
static char display_name[16];

/* Its number is the only line on its standard output; false: not yet. */
static bool number_told(long *number)
{
	char *end;

	*number = strtol(server.text[OUT], &end, 10);
	return end != server.text[OUT] && *end == '\n' && *number >= 0 && *number <= MAX_DISPLAY;
}

static long wait_for_number(void)
{
	const int64_t until = bench_clock() + PATIENCE * SECOND;
	long number;
	int status;

	while (!number_told(&number) && child_listen(&server) && bench_clock() < until)
		continue;
	if (number_told(&number))
		return number;
	if (server.fd[OUT] != -1 && bench_clock() >= until)
		stop_because("Xvfb did not tell its display number within %d seconds", PATIENCE);
	status = child_end(&server, until);
	stop_because("Xvfb ended before it had a display (%s): %s", output_ending(status).text,
		output_last_line(server.text[WORDS]).text);
}

/*
 * Where /tmp/.X11-unix cannot be made, a server on Linux listens at a name without a file alone,
 * which begins with a NUL.
 */
static int connect_to(long number, bool without_file)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const size_t skipped = without_file ? 1 : 0;
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	const size_t room = sizeof address.sun_path - skipped;
	size_t length = offsetof(struct sockaddr_un, sun_path) + skipped;

	if (fd == -1 || fcntl(fd, F_SETFD, FD_CLOEXEC) == -1)
		stop_and_fail("cannot make a socket");
	length += (size_t)snprintf(address.sun_path + skipped, room, "/tmp/.X11-unix/X%ld", number);
	if (!without_file)
		child_leaves(address.sun_path);
	if (connect(fd, (const struct sockaddr *)&address, (socklen_t)length) == 0)
		return fd;
	close(fd);
	return -1;
}

/*
 * Version 11.0 without authorisation, in this machine's order of bytes: servers refuse the other
 * one.
 */
static void say_hello(int fd)
{
	const uint16_t one = 1;
	const bool little = *(const unsigned char *)&one == 1;
	const unsigned char hello[12] = { little ? 'l' : 'B', 0, little ? 11 : 0, little ? 0 : 11 };
	struct pollfd p = { .fd = fd, .events = POLLIN };
	unsigned char answer = 0;

	if (write(fd, hello, sizeof hello) != sizeof hello)
		stop_and_fail("cannot write to Xvfb");
	if (poll(&p, 1, PATIENCE * 1000) != 1)
		stop_because("Xvfb did not answer within %d seconds", PATIENCE);
	if (read(fd, &answer, 1) != 1 || answer != SUCCESS)
		stop_because("Xvfb on display '%s' does not let its own user in", display_name);
}

static void stay_connected(long number)
{
	int fd = connect_to(number, false);

	if (fd == -1)
		fd = connect_to(number, true);
	if (fd == -1)
		stop_and_fail("cannot connect to Xvfb on display '%s'", display_name);
	say_hello(fd);
}

const char *server_for(const char *display)
{
	static const char *const words[] = { "Xvfb", "-displayfd", "1", "-screen", "0",
		"1024x768x24", "-nolisten", "tcp", "-terminate", NULL };
	int cause;
	long number;

	if (strcmp(display, "xvfb") != 0)
		return display;
	/* A cookie for an earlier server of this number is none for this one. */
	if (setenv("XAUTHORITY", "/dev/null", 1) == -1)
		stop_and_fail("cannot set XAUTHORITY");
	cause = child_start(&server, words);
	if (cause == ENOENT)
		stop_and_skip("Xvfb is not installed (Debian package xvfb)");
	errno = cause;
	if (cause != 0)
		stop_and_fail("cannot run Xvfb");
	number = wait_for_number();
	snprintf(display_name, sizeof display_name, ":%ld", number);
	stay_connected(number);
	/* X servers ignore SIGPIPE. */
	child_forget(&server);
	return display_name;
}

/* Its clients lose their connection some time before it can be reaped. */
bool server_is_gone(void)
{
	const int64_t until = bench_clock() + SECOND / 2;

	if (display_name[0] == '\0')
		return false;
	while (!child_is_gone(&server))
		if (bench_clock() > until)
			return false;
	return true;
}
