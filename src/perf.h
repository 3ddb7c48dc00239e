// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf.h - switches the counters that pgms/count-events has opened for this process on and off, and
 * reports them. They are named, with its number and their descriptors, in
 *
 *	TS_EVENTS	4711,instructions_user=3,instructions_kernel=4
 *
 * and each becomes a line with its count, and the nanoseconds for which it was wanted and for which it
 * counted:
 *
 *	EVENT|instructions_user|84621070|101701011|101701011
 *
 * This part is linked into every program and must be small: a page more is a fault more of each exec.
 */
#ifndef PERF_H
#define PERF_H

#include <stdbool.h>

void perf_switch(bool on);
void perf_say(void);

#endif
