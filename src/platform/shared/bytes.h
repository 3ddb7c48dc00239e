// SPDX-License-Identifier: GPL-2.0-or-later
/* bytes.h - bytes that are the same on every machine and in which no compressor finds anything. */
#ifndef BYTES_H
#define BYTES_H

#include <stddef.h>
#include <stdint.h>

/* Fills `to` and returns the seed of what follows; a piece whose size is a multiple of 8 can be gone on with. */
uint64_t bytes_fill(void *to, size_t size, uint64_t seed);

#endif
