// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * data.h - the file that is hashed, DIRECTORY/data: the first process that needs it makes it, and
 * others find it. The empty file data.lock stays beside it.
 */
#ifndef HASH_DATA_H
#define HASH_DATA_H

#include "platform/hash/digest.h"

#include <stdint.h>

/* On return the file is in the page cache, and its pages are mapped. */
struct input data_ready(const char *directory, int64_t size);

#endif
