// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * file.h - the two directories of transfer, each with a private directory that holds the files 0,
 * 1, 2 ... At every end of the program but SIGKILL, everything is removed.
 *
 * The directories are used through descriptors. Files are thus made and removed on the given file
 * system, even if it is mounted elsewhere meanwhile, or another one in its place.
 */
#ifndef TRANSFER_FILE_H
#define TRANSFER_FILE_H

#include <stddef.h>
#include <stdint.h>

enum where { MEDIUM, DEPOT, PLACES };

/* Ends the program unless files can be made in both directories. */
void places_open(const char *medium, const char *depot);
/* Ends the program (77) unless so many files of that size fit in both directories. */
void places_need_room(uint64_t bytes, int files);
/* Makes the private directories. From now on they are removed whenever the program ends. */
void places_make(void);
/* Removes everything at the regular end. */
void places_remove(void);

/*
 * Return a descriptor of a new file, and of an existing one. Each place has at most one open file.
 */
int place_create(enum where w, int number);
int place_open(enum where w, int number);
void place_close(enum where w);
/* Waits until the file system has stored what was written to the open file. */
void place_sync(enum where w);
/* Returns the length of the open file. */
uint64_t place_length(enum where w);

/* Returns the path as the user gave it, for messages. */
const char *place_path(enum where w);

/*
 * Whether a file that was just written is read from its medium. Only the page cache of this system
 * counts: a server or a disk may still have cached it.
 */
/* Drops an open file from the page cache, if the system has a call for that. */
void cold_forget(int fd);
/*
 * Returns how many bytes of an open file are not in the page cache; negative if that is unknown.
 */
int64_t cold_bytes(int fd, uint64_t size);

/*
 * --- the checksum: 64 bits that depend on the bytes of a file and their order, computed as fast as
 * memory is read. They also depend on the machine's byte order.
 */
/*
 * The lanes are computed side by side. The size of each piece but the last is a multiple of
 * CHECKSUM_BLOCK.
 */
enum { CHECKSUM_LANES = 4, CHECKSUM_BLOCK = CHECKSUM_LANES * 8 };

struct checksum {
	uint64_t lane[CHECKSUM_LANES];
	uint64_t bytes;
};

void checksum_begin(struct checksum *s);
void checksum_add(struct checksum *s, const void *bytes, size_t size);
uint64_t checksum_end(const struct checksum *s);

/*
 * The data in the files: consecutive parts of one stream of incompressible bytes, and the checksum
 * of each part.
 */
struct contents {
	unsigned char *bytes;	/* repeated to make the stream */
	uint64_t stride;	/* distance between the starts of two files, in the stream */
	uint64_t *sums;		/* for each file, by its number */
};

/* Ends the program if there is no memory. This takes as long as reading all files from memory. */
void contents_make(struct contents *c, uint64_t bytes, int files);
/*
 * Sets `from` to the bytes of a file at offset `done`, and returns how many are there in one
 * piece, but at most `most`.
 */
size_t contents_piece(const struct contents *c, int number, uint64_t done, uint64_t most,
	const unsigned char **from);

#endif
