// SPDX-License-Identifier: GPL-2.0-or-later
/* bytes.h - bytes that are the same on every machine and that no compressor makes smaller. */
#ifndef BYTES_H
#define BYTES_H

#include <stddef.h>
#include <stdint.h>

/*
 * Fills `to` and returns the seed for the bytes that follow. All pieces but the last must have a
 * multiple of 8 bytes.
 */
uint64_t bytes_fill(void *to, size_t size, uint64_t seed);

#endif
