// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ticks.h - the counter of the CPU that runs at a constant rate: the time stamp counter of x86, the
 * virtual counter of arm64. ticks_ordered waits until all that stands before it is done. Where there is
 * none, both return 0.
 */
#ifndef TICKS_H
#define TICKS_H

#include <stdint.h>

#if defined(__x86_64__)
static inline uint64_t ticks_ordered(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}
#elif defined(__aarch64__)
static inline uint64_t ticks_ordered(void)
{
	uint64_t ticks;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks) : : "memory");
	return ticks;
}
#else
static inline uint64_t ticks_ordered(void)
{
	return 0;
}
#endif
#endif
