// SPDX-License-Identifier: GPL-2.0-or-later
/* tasks.h - what the receiving side does in a test, after the greeting. */
#ifndef NET_TASKS_H
#define NET_TASKS_H

#include "lbt/net/ending.h"

/*
 * task_stream receives and counts, task_echo sends everything back, task_datagrams reports a UDP
 * port and answers there.
 */
enum ending task_stream(const struct wire *w);
enum ending task_echo(const struct wire *w);
enum ending task_datagrams(const struct wire *w);

#endif
