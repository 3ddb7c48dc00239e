// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * child.h - the processes that a measured program starts beside itself: another program, or a
 * function of its own. When the program ends, the children that still run are killed and reaped.
 * After SIGKILL, which no program can handle, Linux ends them.
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
 * A child stays in this process's group, and its struct must stay where it is until the child is
 * reaped.
 *
 * These do not use this: fork64, looper, pipe84, spawn and syscall, which measure the fork; context1,
 * half of whose operation is done by the other process; and net as a server, which goes on when it
 * cannot fork.
 */
#ifndef CHILD_H
#define CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { CHILD_OUT, CHILD_ERR, CHILD_STREAMS };
/*
 * CHILD_BLOCK is the most that is read of a stream at once; a buffer one byte larger loses
 * nothing.
 */
enum { CHILD_BLOCK = 4096, CHILD_LONG = -1, CHILD_HUNG = -1 };

struct child_stream {
	char *text;		/* NULL: nobody listens, the child has this process's stream */
	size_t room;		/* of `text`, its final NUL included; excess output is dropped */
	size_t used;		/* 0 at the start; set to 0 again by a reader that took all */
	int fd;			/* to read from; 0: the stream has ended, or nobody listens */
};

struct child {
	/* Set by the caller, otherwise zero: */
	struct child_stream stream[CHILD_STREAMS];
	bool merged;		/* standard error goes where standard output goes */
	bool mercy;		/* SIGTERM ends it, and it has two seconds for its children */
	/* Set by the library: */
	pid_t pid;		/* 0: not started, or reaped */
	int status;		/* as wait returns it, once the child is reaped */
	struct child *next;
};

/*
 * Starts a program with empty input and this process's environment. In the program no signal is
 * blocked, and SIGPIPE and SIGCHLD are not ignored. Returns 0, or the errno of a program that
 * cannot be run.
 */
int child_start(struct child *c, const char *const words[]);
/*
 * Forks, and returns true in the child and false in this process. The child must leave by _exit,
 * and this process's other children are not its own.
 */
bool child_fork(struct child *c);

/*
 * Waits for output, at most `ms` milliseconds or, with CHILD_LONG, for ever. False when no more
 * can come.
 */
bool child_listen(struct child *c, int ms);
/* Stops listening to the child. */
void child_ignore(struct child *c);

/* True when the child has ended and is reaped; never waits. Its output can still be read. */
bool child_ended(struct child *c);
/* Stops listening, waits for the child's end, and returns its status. */
int child_wait(struct child *c);
/*
 * Like child_wait, but kills the child at `until`, a time of bench_clock, and then returns
 * CHILD_HUNG.
 */
int child_end(struct child *c, int64_t until);

#endif
