// SPDX-License-Identifier: GPL-2.0-or-later
/* tasks.h - what the receiving side does in a test, once the greeting is read. */
#ifndef NET_TASKS_H
#define NET_TASKS_H

#include "lbt/net/ending.h"

/* Takes what comes and counts it; sends it back; answers on a UDP socket, whose port it says. */
enum ending task_stream(const struct wire *w);
enum ending task_echo(const struct wire *w);
enum ending task_datagrams(const struct wire *w);

#endif
