// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * data.h - the file that is hashed, DIRECTORY/data: made by the first who needs it and found by the
 * others. Beside it stays the empty data.lock.
 */
#ifndef HASH_DATA_H
#define HASH_DATA_H

#include "platform/hash/algorithm.h"

#include <stdint.h>

/* The file is in the page cache when it returns, and its pages are mapped. */
struct input data_ready(const char *directory, int64_t size);

#endif
