// SPDX-License-Identifier: GPL-2.0-or-later
/* within.h - whether an answer is near enough, whatever the flags of the compiler. */
#ifndef WITHIN_H
#define WITHIN_H

#include <stdbool.h>

/* `difference` is that from the right answer, of either sign. NaN is within no bound. */
bool within(double difference, double bound);

#endif
