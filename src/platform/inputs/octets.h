// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * octets.h - reads and writes that continue after interruptions, partial transfers and full
 * buffers.
 */
#ifndef INPUTS_OCTETS_H
#define INPUTS_OCTETS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * From now on, waiting reads and writes call `look` once a second. It is not called in a signal
 * handler, so it may end the process with a message.
 */
void octets_look(void (*look)(void));

/*
 * Reads what has come, at most `size` octets. Returns 0 if the other end has gone, even where the
 * system reports that as an error; -1 after other errors.
 */
ssize_t octets_read(int fd, void *to, size_t size);
/* Transfer everything; false otherwise, with errno 0 if the other end has gone. */
bool octets_take(int fd, void *to, size_t size);
bool octets_write(int fd, const void *data, size_t size);

#endif
