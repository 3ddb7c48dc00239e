// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ready.h - waits until one of several descriptors can be read, by the best means that the system
 * has and allows: epoll, kqueue or poll. A container may forbid epoll; then it is the next one. A
 * descriptor that still holds something is reported again (level-triggered).
 *
 *	static struct ready r;
 *	int which[8];
 *
 *	ready_open(&r, fds, 64);
 *	for (int i = 0, there = ready_wait(&r, which, 8); i < there; i++)
 *		...read fds[which[i]]...
 *	ready_say(&r);				HOW|epoll
 */
#ifndef MODERN_READY_H
#define MODERN_READY_H

#include <stdbool.h>

enum { READY_MOST = 64 };

struct ready {
	const struct ready_form *form;
	int fd;				/* of epoll or kqueue */
	int fds[READY_MOST], count;	/* those that are waited for */
};

/* A descriptor is called by its place among the `count` that are waited for. */
void ready_open(struct ready *r, const int fds[], int count);
/* Waits, and returns how many can be read, which are the first of `which`: at least 1, at most `most`. */
int ready_wait(const struct ready *r, int which[], int most);
/* Tells by which means it waited. */
void ready_say(const struct ready *r);

/*
 * The means. `open` is false, with the cause in errno, where one of its calls does not work; it has
 * tried all of them then. `wait` returns -1 when it fails.
 */
struct ready_form {
	const char *name;
	bool (*open)(struct ready *r);
	int (*wait)(const struct ready *r, int which[], int most);
};
extern const struct ready_form ready_epoll, ready_kqueue, ready_poll;
/* For `open`: closes r->fd, if it is open, and returns false with errno as it was. */
bool ready_refused(const struct ready *r);

#endif
