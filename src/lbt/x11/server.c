// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * server.c - Xvfb from its start to its first client.
 *
 * Xvfb runs with -terminate, so that it ends after its last client. It would then also end between
 * two runs of x11perf, so x11 is a client too: it says hello, keeps the connection open and never
 * requests anything. When x11 ends, however it ends, the kernel closes that connection. Before
 * Xvfb has told its display number, it ends because nobody reads that number any more. In the
 * twentieth of a second between these two states, a SIGKILL of x11 would leave Xvfb running; on
 * Linux child.c prevents that.
 */
#include "lbt/x11/server.h"
#include "bench.h"
#include "child.h"
#include "lbt/x11/x11perf.h"
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

/*
 * PATIENCE is in seconds: Xvfb needs 0.2 s on an idle machine. MOMENT and LOOK are in
 * milliseconds.
 */
enum { PATIENCE = 15, MOMENT = 200, LOOK = 2, MAX_DISPLAY = 65535, SUCCESS = 1, TEXT = 32768 };
static const int64_t SECOND = 1000000000;

static char text[CHILD_STREAMS][TEXT];
static struct child server = {
	.stream = { { .text = text[CHILD_OUT], .room = TEXT }, { .text = text[CHILD_ERR], .room = TEXT } },
	.mercy = true,
};
static char display_name[16];
/* The address of the server's socket, which the server removes itself unless it is killed. */
static struct sockaddr_un leftover = { .sun_family = AF_UNIX };

/*
 * Xvfb prints its display number as its only line on standard output. False: it has not done so
 * yet.
 */
static bool read_number(long *number)
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

	while (!read_number(&number) && child_listen(&server, MOMENT) && bench_clock() < until)
		continue;
	if (read_number(&number))
		return number;
	errno = 0;
	if (server.stream[CHILD_OUT].fd != 0 && bench_clock() >= until)
		bench_fail("Xvfb did not report its display number within %d seconds", PATIENCE);
	status = child_end(&server, until);
	errno = 0;
	bench_fail("Xvfb ended before it had a display (%s): %s", output_ending(status).text,
		output_last_line(server.stream[CHILD_ERR].text).text);
}

/*
 * Runs when the program ends, after the server has ended. If something still answers at the
 * socket, it belongs to another server, and stays.
 */
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
 * Where /tmp/.X11-unix cannot be made, a server on Linux listens only at an abstract name, one
 * without a file, which begins with a NUL.
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
 * Requests version 11.0 without authorisation, in the byte order of this machine: servers refuse
 * clients of the other one.
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
	/* A cookie for an earlier server with this number is invalid for this one. */
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
	/* X servers ignore SIGPIPE, so they survive that nobody reads their output. */
	child_ignore(&server);
	return display_name;
}

/* The server's clients lose their connection some time before the server can be reaped. */
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

/*
 * --- the facts come from xdpyinfo, if it is installed:
 *
 *	vendor string:    The X.Org Foundation
 *	vendor release number:    12101007
 *	X.Org version: 1.21.1.7
 *	    RENDER
 *	default screen number:    0
 *	screen #0:
 *	  dimensions:    1024x768 pixels (270x203 millimeters)
 *	  depth of root window:    24 planes
 *
 * Otherwise they come from x11perf's header.
 */

enum { INFO_PATIENCE = 10 };
static char printed[TEXT], dropped[1];
static struct child info = {
	.stream = { { .text = printed, .room = TEXT }, { .text = dropped, .room = sizeof dropped } },
};

/* Returns the output of xdpyinfo; empty if it is not installed or fails. */
static const char *xdpyinfo(const char *display)
{
	const char *const words[] = { "xdpyinfo", "-display", display, NULL };
	const int64_t until = bench_clock() + (int64_t)INFO_PATIENCE * 1000000000;

	if (child_start(&info, words) != 0)
		return "";
	while (child_listen(&info, MOMENT) && bench_clock() < until)
		continue;
	return child_end(&info, until) == 0 ? printed : "";
}

static void print_fact(const char *key, const struct words *value)
{
	if (value->text[0] != '\0')
		printf("%s=%s\n", key, value->text);
}

/* Prints the first word: "1024x768" of "1024x768 pixels". */
static void print_word(const char *key, const struct words *value)
{
	const char *end = value->text + strcspn(value->text, " ");
	const struct words word = output_words(value->text, end);

	print_fact(key, &word);
}

static bool print_server(const char *about)
{
	const struct words vendor = output_value(about, "vendor string:");
	const struct words release = output_value(about, "vendor release number:");
	const struct words version = output_value(about, "X.Org version:");

	print_fact("server", &vendor);
	print_fact("version", version.text[0] != '\0' ? &version : &release);
	return vendor.text[0] != '\0';
}

/* The header is: "The X.Org Foundation server version 12101007 on :0". */
static void print_header(const char *header)
{
	const char *version = strstr(header, " server version "), *start = version;
	struct words words;

	if (!version)
		return;
	while (start > header && start[-1] != '\n')
		start--;
	words = output_words(start, version);
	print_fact("server", &words);
	version += strlen(" server version ");
	words = output_words(version, version + strcspn(version, " \n"));
	print_fact("version", &words);
}

static void print_screen(const char *about)
{
	char heading[40];
	const struct words number = output_value(about, "default screen number:");
	const char *screen;
	struct words value;

	snprintf(heading, sizeof heading, "\nscreen #%.20s:\n", number.text);
	screen = strstr(about, heading);
	if (!screen)
		return;
	value = output_value(screen, "  dimensions:");
	print_word("dimensions", &value);
	value = output_value(screen, "  depth of root window:");
	print_word("depth", &value);
}

void facts_print(const char *display)
{
	const char *const noop = "noop";
	struct order order = { .names = &noop, .tests = 1, .reps = 1, .repeat = 1 };
	const char *about, *header;
	struct words version;

	order.display = server_for(display);
	header = x11perf_run(&order, NULL, NULL, NULL);
	about = xdpyinfo(order.display);
	printf("display=%s\n", display);
	if (!print_server(about))
		print_header(header);
	print_screen(about);
	version = output_value(header, "x11perf - X11 performance program, version");
	print_fact("x11perf", &version);
	errno = 0;
	if (fflush(stdout) == EOF)
		bench_fail("cannot write to standard output");
}

/*
 * The tests that need RENDER are known by the beginnings of their names. Text is not among them,
 * as it is drawn without RENDER too.
 */
static bool needs_render(const char *test)
{
	static const char *const needing[] = { "aatrap", "aa1trap", "aa4trap", "addaatrap",
		"compwin", "comppix", "magpix", "minpix" };

	for (size_t i = 0; i < sizeof needing / sizeof *needing; i++)
		if (strncmp(test, needing[i], strlen(needing[i])) == 0)
			return true;
	return false;
}

bool facts_lack_render(const char *display, const char *test)
{
	const char *about = needs_render(test) ? xdpyinfo(display) : "";

	return strstr(about, "number of extensions:") && !strstr(about, "\n    RENDER\n");
}
