// SPDX-License-Identifier: GPL-2.0-or-later
/* common.h - the size of the large array, and whether an answer is near enough. */
#ifndef LMB1997_COMMON_H
#define LMB1997_COMMON_H

#include <stdbool.h>
#include <stdint.h>

#define ARRAY_USAGE "SECONDS [KILOBYTES]"

/*
 * Returns the size of the large array in kilobytes, from argv[2]: 64 MB, or as many KILOBYTES as the
 * caller says that the machine can spare.
 */
int64_t array_kilobytes(int argc, char **argv);

/*
 * True if the difference from the right answer, of either sign, is within the bound, whatever the flags
 * of the compiler. NaN is within no bound.
 */
bool within(double difference, double bound);

#endif
