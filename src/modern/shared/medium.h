// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * medium.h - files that must outlive a loss of power: whether the working directory is on a medium
 * that can keep them, and waiting until it has.
 */
#ifndef MODERN_MEDIUM_H
#define MODERN_MEDIUM_H

#include <stddef.h>
#include <stdint.h>

/*
 * Ends the program (77) where this directory is in memory, and lets a write beyond the user's limit
 * fail instead of ending the program by a signal.
 */
void medium_needed(const char *directory);
/* Writes all of it at this place of the file, or ends the program. */
void medium_write(int fd, const void *from, size_t size, uint64_t place);
/*
 * Wait until the medium has the file, and until it has the data of a file whose length stays. A
 * directory is a file of names. They end the program where the system cannot do that.
 */
void medium_keep(int fd);
void medium_keep_data(int fd);

#endif
