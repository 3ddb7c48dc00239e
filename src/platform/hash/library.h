// SPDX-License-Identifier: GPL-2.0-or-later
/* library.h - libcrypto through its EVP interface, or stand-ins for builds without it. */
#ifndef HASH_LIBRARY_H
#define HASH_LIBRARY_H

#include "platform/hash/algorithm.h"

/* Returns how the loaded library describes itself, or "none". */
const char *library_version(void);
/* Returns NULL, or the reason why the functions below cannot be used here. */
const char *library_prepare(const struct algorithm *a);
void library_digest_of_file(const struct algorithm *a, const struct input *in,
	char digest[DIGEST_TEXT]);
void library_digest_of_memory(const struct algorithm *a, const struct input *in,
	char digest[DIGEST_TEXT]);

#endif
