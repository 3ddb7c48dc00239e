// SPDX-License-Identifier: GPL-2.0-or-later
/* library.h - libcrypto by its interface EVP, or its absence. */
#ifndef HASH_LIBRARY_H
#define HASH_LIBRARY_H

#include "platform/hash/algorithm.h"

/* What the library that is loaded calls itself, or "none". */
const char *library_version(void);
/* NULL, or why nothing of the rest can be done here. */
const char *library_prepare(const struct algorithm *a);
void library_digest_of_file(const struct algorithm *a, const struct input *in,
	char digest[DIGEST_TEXT]);
void library_digest_of_memory(const struct algorithm *a, const struct input *in,
	char digest[DIGEST_TEXT]);

#endif
