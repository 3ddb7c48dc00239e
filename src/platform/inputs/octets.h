// SPDX-License-Identifier: GPL-2.0-or-later
/* octets.h - reads and writes that go on after an interruption, in parts, and without room. */
#ifndef INPUTS_OCTETS_H
#define INPUTS_OCTETS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * From now on a read or write that waits looks around once a second. `look` is called in between
 * and not in a signal handler: it may end the process with words.
 */
void octets_look(void (*look)(void));

/*
 * What has come, `size` at most; 0 when the other end has gone, also where the system calls that an
 * error; or -1.
 */
ssize_t octets_read(int fd, void *to, size_t size);
/* All of it, or false: with errno 0 when the other end has gone. */
bool octets_take(int fd, void *to, size_t size);
bool octets_write(int fd, const void *data, size_t size);

#endif
