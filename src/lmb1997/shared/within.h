// SPDX-License-Identifier: GPL-2.0-or-later
/* within.h - whether an answer is near enough, with any flags of the compiler. */
#ifndef WITHIN_H
#define WITHIN_H

#include <stdbool.h>

/* Of a difference to the right answer, either way. What is not a number is within no bound. */
bool within(double difference, double bound);

#endif
