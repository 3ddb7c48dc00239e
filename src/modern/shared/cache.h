// SPDX-License-Identifier: GPL-2.0-or-later
/* cache.h - how much of a file is in the page cache, if the system reports it. */
#ifndef MODERN_CACHE_H
#define MODERN_CACHE_H

#include <stdbool.h>
#include <stdint.h>

enum { CACHE_STEP = 1 << 20 };

/*
 * Returns the share of the first `bytes`, a multiple of CACHE_STEP, that is in the page cache; -1:
 * unknown.
 */
double cache_share(int fd, uint64_t bytes);
/*
 * Returns whether a read through this descriptor, which should bypass the page cache, fills it: some
 * file systems accept O_DIRECT and ignore it. It drops the step at this place and reads from it.
 */
bool cache_is_filled(int fd, uint64_t place);

#endif
