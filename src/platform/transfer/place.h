// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * place.h - the two directories of transfer, and in each of them a directory of its own with files
 * 0, 1, 2 ... Whatever ends the program but SIGKILL, everything is removed first.
 *
 * They are held by descriptors: what is done and removed stays on the file system that was given,
 * even if it gets another name, or another file system its name.
 */
#ifndef TRANSFER_PLACE_H
#define TRANSFER_PLACE_H

#include <stdint.h>

enum where { MEDIUM, DEPOT, PLACES };

/* Ends the program unless these are two directories in which files can be made. */
void places_open(const char *medium, const char *depot);
/* Ends the program (77) unless so many files of that size fit in both. */
void places_need_room(uint64_t bytes, int files);
/* Makes the directories. From here on, every end removes them. */
void places_make(void);
/* The regular end. */
void places_remove(void);

/* A descriptor of a new file, or of one that is there. Of each place one file is open at a time. */
int place_create(enum where w, int number);
int place_open(enum where w, int number);
void place_close(enum where w);
/* Waits until the file system has what was written to the open file. */
void place_sync(enum where w);
/* How long the open file is. */
uint64_t place_length(enum where w);

/* The place as it was named, for the words of a failure. */
const char *place_path(enum where w);

#endif
