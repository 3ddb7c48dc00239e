// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memory.h - buffers for the tests, and hashes of their contents.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The buffer begins 8 bytes after a multiple of 16, because speed depends on that. It is not
 * cleared, and lasts until the process ends. If there is no memory, this ends the process.
 */
void *memory_get(size_t bytes);

/* Returns the 64-bit FNV-1a hash of the bytes in the order of memory. */
uint64_t memory_hash(const void *bytes, size_t n);

/*
 * True if numbers are stored in the byte order of the known hashes. Otherwise prints on standard
 * output, once, what is not checked.
 */
bool memory_order_is_known(const char *what);

#endif
