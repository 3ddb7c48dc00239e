// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * child.h - the programs that x11 starts and listens to: x11perf, xdpyinfo and a server of its own.
 * On every way out of x11 but SIGKILL all of them are stopped and reaped; SIGKILL they notice
 * themselves (child.c).
 */
#ifndef X11_CHILD_H
#define X11_CHILD_H

#include "channel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * OUT and WORDS: standard output and standard error, as indexes. What comes behind CHILD_TEXT bytes
 * is dropped.
 */
enum { OUT, WORDS, STREAMS, CHILD_TEXT = 32768, CHILD_HUNG = -1 };

struct child {
	pid_t pid;		/* 0: reaped */
	int fd[STREAMS];	/* -1: ended */
	char text[STREAMS][CHILD_TEXT];
	size_t used[STREAMS];
};

/* Once, before the first start. */
void child_prepare(void);
/* 0, or the errno of a program that cannot be run. */
int child_start(struct child *c, const char *const words[]);
/* Waits a moment for text. False when there will be no more. */
bool child_listen(struct child *c);
/*
 * The wait status of a child that says no more, or CHILD_HUNG: it still ran at `until`
 * (bench_clock) and was killed.
 */
int child_end(struct child *c, int64_t until);
/* Waits a moment if it is not. */
bool child_is_gone(struct child *c);
/* From now on nobody listens. */
void child_forget(struct child *c);

/* A socket's name that a child takes away itself, unless it is killed. */
void child_leaves(const char *path);

/* bench_fail and bench_skip, when all children are stopped. */
_Noreturn void stop_and_fail(const char *format, ...) CHANNEL_FORMAT(1, 2);
/* A failure whose cause is not in errno. */
_Noreturn void stop_because(const char *format, ...) CHANNEL_FORMAT(1, 2);
_Noreturn void stop_and_skip(const char *format, ...) CHANNEL_FORMAT(1, 2);

#endif
