// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cold.h - whether a file that was just written is read from its medium. Only the page cache of
 * this system counts: a server or a disk may still have cached it.
 */
#ifndef TRANSFER_COLD_H
#define TRANSFER_COLD_H

#include <stdint.h>

/* Drops an open file from the page cache, if the system has a call for that. */
void cold_forget(int fd);
/*
 * Returns how many bytes of an open file are not in the page cache; negative if that is unknown.
 */
int64_t cold_bytes(int fd, uint64_t size);

#endif
