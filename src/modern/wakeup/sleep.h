// SPDX-License-Identifier: GPL-2.0-or-later
/* sleep.h - sleeps that end at a time of bench_clock. */
#ifndef WAKEUP_SLEEP_H
#define WAKEUP_SLEEP_H

#include <stdint.h>

/* The call that sleeps. */
extern const char sleep_how[];
/* Asks the kernel not to wake this thread late to save power. */
void sleep_be_punctual(void);
/* Returns at once where that time has passed. */
void sleep_until(int64_t due);

#endif
