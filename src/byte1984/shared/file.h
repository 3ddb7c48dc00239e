// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * file.h - the file of dwrite84 and dread84: 256 blocks of 512 bytes. Byte k of block b is (b + k)
 * mod 256, so that reading from a wrong place is noticed. The file has a name while it is used,
 * and is removed when the process ends.
 */
#ifndef BYTE1984_FILE_H
#define BYTE1984_FILE_H

enum { BLOCK = 512, BLOCKS = 256, SIZE = BLOCK * BLOCKS };

/* Chooses a file name in `folder`, which error messages mention. */
void file_prepare(const char *program, const char *folder);
const char *file_folder(void);
void file_write(void);
/* Opens the file and returns a descriptor to read from. */
int file_open(void);
void file_remove(void);

/* Returns the bytes of block `number`. */
const unsigned char *file_block(int number);
/* Returns the byte at offset `place` of the file. */
unsigned char file_byte(long place);

#endif
