// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * disk.h - the file of a disk program. It is made in the working directory and has no name once it
 * is open, so that nothing stays behind however the program ends.
 */
#ifndef DISK_H
#define DISK_H

#include <stddef.h>
#include <stdint.h>

int disk_open(void);
/* Moves all bytes, at an offset in the file, or ends the program with a failure. */
void disk_put(int fd, const void *from, size_t size, int64_t place);
void disk_get(int fd, void *to, size_t size, int64_t place);
/* Makes the file empty and frees its space. */
void disk_empty(int fd);
/* Waits until the disk has all that was written. */
void disk_sync(int fd);
/* Makes the next reads come from the disk, if the system has a call for that. */
void disk_forget(int fd);

/*
 * Checks that so many bytes can be written, for a program that writes by other means, and fails
 * with the reason if not: Fortran's libraries may not report a full disk.
 */
void disk_try(int64_t size);

#endif
