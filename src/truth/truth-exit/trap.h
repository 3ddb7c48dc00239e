// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * trap.h - instructions that leave a virtual machine, or may. Times are nanoseconds, the least of
 * many; 0 where the processor has no such instruction for programs.
 */
#ifndef TRAP_H
#define TRAP_H

#include <stdint.h>

/* cpuid, which always leaves a virtual machine. */
double trap_cpuid(int64_t ns);
/* rdtsc, which may be trapped. */
double trap_rdtsc(int64_t ns);

#endif
