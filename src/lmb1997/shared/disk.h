// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * disk.h - the file of a disk program. It is in the working directory and has no name any more when
 * it is open, so that nothing stays behind however the program ends.
 */
#ifndef DISK_H
#define DISK_H

#include <stddef.h>
#include <stdint.h>

int disk_open(void);
/* All bytes, at a place in the file, or the program fails. */
void disk_put(int fd, const void *from, size_t size, int64_t place);
void disk_get(int fd, void *to, size_t size, int64_t place);
/* Empty again, and its space is free. */
void disk_empty(int fd);
/* Waits until the disk has what was written. */
void disk_sync(int fd);
/* Makes the system read from the disk what is read next, if it has a call for that. */
void disk_forget(int fd);

/*
 * For a program that writes by other means: whether it could, or what would be in the way. The
 * libraries of Fortran may keep silent when a disk is full.
 */
void disk_try(int64_t size);

#endif
