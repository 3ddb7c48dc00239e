// SPDX-License-Identifier: GPL-2.0-or-later
/* call.h - nanoseconds of the kernel: a system call that does nothing, and a new page. */
#ifndef CALL_H
#define CALL_H

#include <stdint.h>

/* The least of many. */
double call_null(int64_t ns);
/* The median of many; 0 where memory is refused. */
double call_fault(int64_t ns);

#endif
