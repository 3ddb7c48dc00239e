// SPDX-License-Identifier: GPL-2.0-or-later
/* algorithm.h - the hashes, their commands and their published test vectors. */
#ifndef HASH_ALGORITHM_H
#define HASH_ALGORITHM_H

#include <stddef.h>

/* DIGEST_TEXT: the longest digest in hexadecimal digits, and a NUL. */
enum { VECTORS = 3, DIGEST_TEXT = 129 };

struct vector {
	const char *message, *digest;
};

struct algorithm {
	const char *name, *command;
	struct vector vector[VECTORS];
};

/* What is hashed: a file, and the same bytes in memory. */
struct input {
	const char *path;
	const void *bytes;
	size_t size;
};

/* NULL: there is none of that name. */
const struct algorithm *algorithm_named(const char *name);
/* The n-th from 0, NULL behind the last. */
const struct algorithm *algorithm_at(size_t n);
size_t algorithm_digits(const struct algorithm *a);

#endif
