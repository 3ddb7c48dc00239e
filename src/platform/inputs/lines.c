// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lines.c - pseudo-terminals, sockets and real devices. A device is opened without waiting for a
 * carrier, and its speed is not changed.
 */
#if defined(__linux__)
#define _XOPEN_SOURCE 700
#endif
#include "platform/inputs/lines.h"
#include "bench.h"
#include "tidy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

enum { DEVICES = 2, PATH = 1024 };

/*
 * The user's terminals have descriptors of their own here, which stay open until their settings
 * are restored: the ends are passed to other processes.
 */
static struct {
	int fd;
	struct termios before;
} changed[DEVICES];
static volatile int changes;

static struct termios raw_like(const struct termios *before)
{
	struct termios t = *before;

	t.c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | INPCK | ISTRIP | INLCR | IGNCR | ICRNL
		| IXON | IXOFF);
	t.c_oflag &= ~(tcflag_t)OPOST;
	t.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
	t.c_cflag &= ~(tcflag_t)(CSIZE | PARENB);
	t.c_cflag |= CS8 | CREAD | CLOCAL;
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	return t;
}

/*
 * tcsetattr also succeeds if it could do only part of what was asked, so the settings are
 * compared.
 */
static bool make_raw(int fd, const struct termios *before)
{
	const struct termios wanted = raw_like(before);
	struct termios is;

	if (tcsetattr(fd, TCSANOW, &wanted) == -1 || tcgetattr(fd, &is) == -1)
		return false;
	errno = 0;
	return is.c_iflag == wanted.c_iflag && is.c_oflag == wanted.c_oflag
		&& (is.c_lflag & (ECHO | ICANON | ISIG)) == 0 && (is.c_cflag & CSIZE) == CS8;
}

/*
 * The terminal is the writing end, so that each side notices at once when the other has gone. The
 * other way round, Linux would let a side write to a terminal that nobody has open.
 */
static void make_pty(int line[2])
{
	const char *name;
	struct termios before;

	line[1] = posix_openpt(O_RDWR | O_NOCTTY);
	if (line[1] == -1 || grantpt(line[1]) == -1 || unlockpt(line[1]) == -1)
		bench_skip("there are no pseudo-terminals here: %s; --channel sockets needs none",
			strerror(errno));
	name = ptsname(line[1]);
	if (!name)
		bench_fail("a pseudo-terminal has no name");
	line[0] = open(name, O_RDWR | O_NOCTTY);
	if (line[0] == -1)
		bench_fail("cannot open '%s'", name);
	if (tcgetattr(line[0], &before) == -1 || !make_raw(line[0], &before))
		bench_fail("'%s' cannot be set to raw mode", name);
}

static void make_sockets(int line[2])
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, line) == -1)
		bench_fail("cannot make a pair of sockets");
}

/* O_NONBLOCK is needed because there may be no carrier before CLOCAL is set. */
static int open_device(const char *path)
{
	const int fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK);

	if (fd == -1)
		bench_fail("cannot open '%s'", path);
	if (!isatty(fd)) {
		errno = 0;
		bench_fail("'%s' is not a terminal", path);
	}
	return fd;
}

static void refuse_same(const char *path[DEVICES], const int line[2])
{
	struct stat first, second;

	if (fstat(line[0], &first) == -1 || fstat(line[1], &second) == -1)
		bench_fail("cannot look at '%s' and '%s'", path[0], path[1]);
	if (first.st_rdev == second.st_rdev)
		bench_fail("'%s' and '%s' are the same device", path[0], path[1]);
}

/* Unsent data is dropped, because closing might wait for it for long. */
static void restore(void)
{
	for (int i = 0; i < changes; i++) {
		tcflush(changed[i].fd, TCIOFLUSH);
		tcsetattr(changed[i].fd, TCSANOW, &changed[i].before);
	}
}

static void set_device(const char *path, int fd)
{
	const int at = changes, flags = fcntl(fd, F_GETFL);

	changed[at].fd = dup(fd);
	if (flags == -1 || changed[at].fd == -1 || tcgetattr(fd, &changed[at].before) == -1)
		bench_fail("cannot look at '%s'", path);
	changes = at + 1;
	if (!make_raw(fd, &changed[at].before))
		bench_fail("'%s' cannot be set to raw mode", path);
	if (tcflush(fd, TCIOFLUSH) == -1 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == -1)
		bench_fail("cannot set '%s'", path);
}

static void open_devices(const char *what, int line[2])
{
	const size_t first = strcspn(what, ",");
	char path[PATH];
	const char *paths[DEVICES] = { path, what + first + 1 };

	if (first == 0 || first >= PATH || what[first] == '\0' || *paths[1] == '\0'
			|| strchr(paths[1], ','))
		bench_usage();
	memcpy(path, what, first);
	path[first] = '\0';
	for (int i = 0; i < DEVICES; i++)
		line[i] = open_device(paths[i]);
	refuse_same(paths, line);
	bench_tidy(restore);
	for (int i = 0; i < DEVICES; i++)
		set_device(paths[i], line[i]);
}

void lines_open(const char *what, int end[ENDS])
{
	if (strcmp(what, "sockets") == 0) {
		make_sockets(&end[EMITTER]);
		make_sockets(&end[RELAY_OUT]);
		return;
	}
	make_pty(&end[RELAY_OUT]);
	if (strcmp(what, "pty") == 0)
		make_pty(&end[EMITTER]);
	else
		open_devices(what, &end[EMITTER]);
}

void lines_keep(const int end[ENDS], enum line_end first, enum line_end last)
{
	for (int i = 0; i < ENDS; i++)
		if (i < (int)first || i > (int)last)
			close(end[i]);
}
