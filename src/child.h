// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * child.h - the processes that a measured program starts beside itself: another program, or a
 * function of its own. Whatever ends the program but SIGKILL (tidy.h), those that still run are
 * killed and reaped; after SIGKILL they end too where the system can tell them (Linux).
 *
 *	static char text[512];
 *	const char *const words[] = { "md5sum", "file", NULL };
 *	struct child c = { .stream[CHILD_OUT] = { .text = text, .room = sizeof text } };
 *
 *	if (child_start(&c, words) != 0)
 *		bench_fail("cannot run '%s'", words[0]);
 *	while (child_listen(&c, CHILD_LONG))
 *		continue;
 *	if (child_wait(&c) != 0)
 *		bench_wrong("'%s' did not end well: %s", words[0], text);
 *
 * A child stays in this process's group and, until it is reaped, its struct where it is. spawn and
 * looper measure a fork themselves and have nothing of this.
 */
#ifndef CHILD_H
#define CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { CHILD_OUT, CHILD_ERR, CHILD_STREAMS };
/* CHILD_BLOCK: what is read of a stream at once; a room of one more loses nothing. */
enum { CHILD_BLOCK = 4096, CHILD_LONG = -1, CHILD_HUNG = -1 };

struct child_stream {
	char *text;		/* NULL: nobody listens, it goes where this process's own goes */
	size_t room;		/* of the text, which ends with a NUL; what has no room is dropped */
	size_t used;		/* 0 again at the start, and whenever the reader has taken all */
	int fd;			/* where it is read; 0: it has ended, or nobody listens */
};

struct child {
	/* The caller's, and otherwise zero: */
	struct child_stream stream[CHILD_STREAMS];
	bool merged;		/* standard error goes where standard output goes */
	bool mercy;		/* at the end it gets SIGTERM, and two seconds for it and its own children */
	/* The library's: */
	pid_t pid;		/* 0: not started, or reaped */
	int status;		/* as wait gives it, once it is reaped */
	struct child *next;
};

/*
 * Starts a program with empty input and this process's environment; no signal is blocked there, and
 * SIGPIPE and SIGCHLD are not ignored. 0, or the errno of a program that cannot be run.
 */
int child_start(struct child *c, const char *const words[]);
/* True in the child: a copy of this process, which leaves by _exit and knows no other child. */
bool child_fork(struct child *c);

/* Waits for text, so many milliseconds at most, or CHILD_LONG. False when no more can come. */
bool child_listen(struct child *c, int ms);
/* From now on nobody listens. */
void child_ignore(struct child *c);

/* True when it has ended and is reaped; never waits. Its streams are left to be read. */
bool child_ended(struct child *c);
/* Waits for its end, listens no more, and returns its status. */
int child_wait(struct child *c);
/* The same until a time of bench_clock; then it is killed, and the result is CHILD_HUNG. */
int child_end(struct child *c, int64_t until);

#endif
