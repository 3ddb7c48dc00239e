// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * array.h - the size of the large array: 64 MB, or as many KILOBYTES as the caller says that the
 * machine can spare.
 */
#ifndef ARRAY_H
#define ARRAY_H

#include <stdint.h>

#define ARRAY_USAGE "SECONDS [KILOBYTES]"

/* Returns the size of the array in kilobytes, from argv[2]. */
int64_t array_kilobytes(int argc, char **argv);

#endif
