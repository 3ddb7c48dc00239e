// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memory.h - buffers of the tests, and hashes of what is in them.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Begins 8 bytes behind a multiple of 16, because speed depends on that, and is not cleared. It stays until the process ends, as
 * it does when there is no memory.
 */
void *memory_get(size_t bytes);

/* FNV-1a, 64 bits, in the order of memory. */
uint64_t memory_hash(const void *bytes, size_t n);

/* True where numbers lie in memory as known hashes have them. Elsewhere it says on standard output, once, what is not checked. */
bool memory_order_is_known(const char *what);

#endif
