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
#include "lbt/x11/server.h"
#include "bench.h"
#include "child.h"
#include "lbt/x11/output.h"
#include "tidy.h"

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

/* PATIENCE in seconds: Xvfb needs 0.2 s on an idle machine. MOMENT and LOOK in milliseconds. */
enum { PATIENCE = 15, MOMENT = 200, LOOK = 2, MAX_DISPLAY = 65535, SUCCESS = 1, TEXT = 32768 };
static const int64_t SECOND = 1000000000;

static char text[CHILD_STREAMS][TEXT];
static struct child server = {
	.stream = { { .text = text[CHILD_OUT], .room = TEXT }, { .text = text[CHILD_ERR], .room = TEXT } },
	.mercy = true,
};
static char display_name[16];
/* Of its socket, which it takes away itself unless it is killed. */
static struct sockaddr_un leftover = { .sun_family = AF_UNIX };

/* Its number is the only line on its standard output; false: not yet. */
static bool number_told(long *number)
{
	char *end;

	*number = strtol(text[CHILD_OUT], &end, 10);
	return end != text[CHILD_OUT] && *end == '\n' && *number >= 0 && *number <= MAX_DISPLAY;
}

static long wait_for_number(void)
{
	const int64_t until = bench_clock() + PATIENCE * SECOND;
	long number;
	int status;

	while (!number_told(&number) && child_listen(&server, MOMENT) && bench_clock() < until)
		continue;
	if (number_told(&number))
		return number;
	errno = 0;
	if (server.stream[CHILD_OUT].fd != 0 && bench_clock() >= until)
		bench_fail("Xvfb did not tell its display number within %d seconds", PATIENCE);
	status = child_end(&server, until);
	errno = 0;
	bench_fail("Xvfb ended before it had a display (%s): %s", output_ending(status).text,
		output_last_line(server.stream[CHILD_ERR].text).text);
}

/* At the end of the program, behind that of the server. Somebody who answers is another server. */
static void remove_leftover(void)
{
	const int fd = leftover.sun_path[0] != '\0' ? socket(AF_UNIX, SOCK_STREAM, 0) : -1;

	if (fd == -1)
		return;
	if (connect(fd, (const struct sockaddr *)&leftover, sizeof leftover) == -1 &&
			errno == ECONNREFUSED)
		unlink(leftover.sun_path);
	close(fd);
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
		bench_fail("cannot make a socket");
	length += (size_t)snprintf(address.sun_path + skipped, room, "/tmp/.X11-unix/X%ld", number);
	if (!without_file)
		leftover = address;
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
	const int64_t until = bench_clock() + PATIENCE * SECOND;
	struct pollfd p = { .fd = fd, .events = POLLIN };
	unsigned char answer = 0;

	if (write(fd, hello, sizeof hello) != sizeof hello)
		bench_fail("cannot write to Xvfb");
	while (poll(&p, 1, MOMENT) != 1) {
		errno = 0;
		if (bench_clock() > until)
			bench_fail("Xvfb did not answer within %d seconds", PATIENCE);
	}
	errno = 0;
	if (read(fd, &answer, 1) != 1 || answer != SUCCESS)
		bench_fail("Xvfb on display '%s' does not let its own user in", display_name);
}

static void stay_connected(long number)
{
	int fd = connect_to(number, false);

	if (fd == -1)
		fd = connect_to(number, true);
	if (fd == -1)
		bench_fail("cannot connect to Xvfb on display '%s'", display_name);
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
		bench_fail("cannot set XAUTHORITY");
	bench_tidy(remove_leftover);
	cause = child_start(&server, words);
	if (cause == ENOENT)
		bench_skip("Xvfb is not installed (Debian package xvfb)");
	errno = cause;
	if (cause != 0)
		bench_fail("cannot run Xvfb");
	number = wait_for_number();
	snprintf(display_name, sizeof display_name, ":%ld", number);
	stay_connected(number);
	/* X servers ignore SIGPIPE. */
	child_ignore(&server);
	return display_name;
}

/* Its clients lose their connection some time before it can be reaped. */
bool server_is_gone(void)
{
	const int64_t until = bench_clock() + SECOND / 2;

	if (display_name[0] == '\0')
		return false;
	while (!child_ended(&server) && bench_clock() < until)
		poll(NULL, 0, LOOK);
	errno = 0;
	return child_ended(&server);
}
