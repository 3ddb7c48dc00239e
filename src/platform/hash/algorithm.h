// SPDX-License-Identifier: GPL-2.0-or-later
/* algorithm.h - the hash algorithms, with their commands and published test vectors. */
#ifndef HASH_ALGORITHM_H
#define HASH_ALGORITHM_H

#include <stddef.h>

/* DIGEST_TEXT is the longest digest in hexadecimal digits, and a NUL. */
enum { VECTORS = 3, DIGEST_TEXT = 129 };

struct vector {
	const char *message, *digest;
};

struct algorithm {
	const char *name, *command;
	struct vector vector[VECTORS];
};

/* The data to be hashed: a file, and the same bytes in memory. */
struct input {
	const char *path;
	const void *bytes;
	size_t size;
};

/* Returns NULL if no algorithm has that name. */
const struct algorithm *algorithm_named(const char *name);
/* Returns algorithm n, from 0; NULL after the last. */
const struct algorithm *algorithm_at(size_t n);
size_t algorithm_digits(const struct algorithm *a);

#endif
