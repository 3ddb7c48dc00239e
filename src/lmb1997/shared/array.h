// SPDX-License-Identifier: GPL-2.0-or-later
/* array.h - how large the large array is: 64 MB, or as many KILOBYTES as the caller says the machine can spare. */
#ifndef ARRAY_H
#define ARRAY_H

#include <stdint.h>

#define ARRAY_USAGE "SECONDS [KILOBYTES]"

/* Of the array, from argv[2]. */
int64_t array_kilobytes(int argc, char **argv);

#endif
