// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * digest.h - the hash algorithms with their published test vectors, and who computes them: a command,
 * and libcrypto through its EVP interface, or stand-ins for builds without it.
 */
#ifndef HASH_DIGEST_H
#define HASH_DIGEST_H

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

void command_digest(const struct algorithm *a, const struct input *in, char digest[DIGEST_TEXT]);
/*
 * Returns how the command describes itself, in a line without its end; "none" if there is no such
 * command.
 */
const char *command_version(const char *command);

/* Returns how the loaded library describes itself, or "none". */
const char *library_version(void);
/* Returns NULL, or the reason why the functions below cannot be used here. */
const char *library_prepare(const struct algorithm *a);
void library_digest_of_file(const struct algorithm *a, const struct input *in,
	char digest[DIGEST_TEXT]);
void library_digest_of_memory(const struct algorithm *a, const struct input *in,
	char digest[DIGEST_TEXT]);

#endif
