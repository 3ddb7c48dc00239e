// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * file.h - the file of dwrite84 and dread84: 256 blocks of 512 bytes. Byte k of block b is (b + k) mod
 * 256, so that a read from a wrong place is found out. It has a name while it is used, and loses it
 * when the process ends.
 */
#ifndef BYTE1984_FILE_H
#define BYTE1984_FILE_H

enum { BLOCK = 512, BLOCKS = 256, SIZE = BLOCK * BLOCKS };

/* Chooses the name of a file in a folder, which the words of failures have. */
void file_prepare(const char *program, const char *folder);
const char *file_folder(void);
void file_write(void);
/* Returns a descriptor to read from. */
int file_open(void);
void file_remove(void);

/* What block `number` holds. */
const unsigned char *file_block(int number);
/* What byte `place` of the file is. */
unsigned char file_byte(long place);

#endif
