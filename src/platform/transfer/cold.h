// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cold.h - whether a file that was written a moment ago is read from its medium. Only this system's
 * memory counts: a server or a disk may have kept what is gone here.
 */
#ifndef TRANSFER_COLD_H
#define TRANSFER_COLD_H

#include <stdint.h>

/* Lets go what the page cache has of an open file, if the system has a call for that. */
void cold_forget(int fd);
/* Bytes of an open file that are not in the page cache; below 0: it cannot be found out. */
int64_t cold_bytes(int fd, uint64_t size);

#endif
