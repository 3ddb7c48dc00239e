// SPDX-License-Identifier: GPL-2.0-or-later
/* sleep.c - see sleep.h. */
#include "modern/wakeup/sleep.h"
#include "bench.h"

#include <errno.h>
#include <time.h>

static const int64_t NS = 1000000000;

#if defined(__linux__)
#include <sys/prctl.h>

/* Usually a sleep may last 50 us longer. */
void sleep_be_punctual(void)
{
	(void)prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}
#else
void sleep_be_punctual(void)
{
}
#endif

#if defined(__APPLE__) || defined(__OpenBSD__)
const char sleep_how[] = "nanosleep";

/* These systems only sleep for a time, so a thread that is stopped before its sleep wakes later. */
void sleep_until(int64_t due)
{
	for (int64_t left; (left = due - bench_clock()) > 0;) {
		const struct timespec t = { (time_t)(left / NS), (long)(left % NS) };

		if (nanosleep(&t, NULL) == -1 && errno != EINTR)
			bench_fail("cannot sleep");
	}
}
#else
const char sleep_how[] = "clock_nanosleep";

void sleep_until(int64_t due)
{
	const struct timespec t = { (time_t)(due / NS), (long)(due % NS) };

	do {
		errno = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
	} while (errno == EINTR);
	if (errno != 0)
		bench_fail("cannot sleep");
}
#endif
