// SPDX-License-Identifier: GPL-2.0-or-later
/* perf.c - switches and reads counters that others have opened; perf.h is the manual. */
#include "perf.h"
#include "channel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Linux defines these in linux/perf_event.h, which other C libraries may lack, as _IO('$', 0) and 1. */
#if defined(__linux__)
static const int ON = _IO('$', 0), OFF = _IO('$', 1);
#else
static const int ON = 0, OFF = 0;
#endif

/* Children find the variable too, and the counters are not theirs. */
static const char *counters(void)
{
	const char *text = getenv("TS_EVENTS");

	return text && atol(text) == (long)getpid() ? strchr(text, ',') : NULL;
}

void perf_switch(bool on)
{
	for (const char *at = counters(); at && (at = strchr(at, '=')) != NULL;)
		ioctl(atoi(++at), on ? ON : OFF, 0);
}

void perf_say(void)
{
	uint64_t seen[3];

	for (const char *at = counters(), *fd; at && (fd = strchr(++at, '=')) != NULL; at = strchr(fd, ','))
		if (read(atoi(fd + 1), seen, sizeof seen) == sizeof seen)
			channel_say("EVENT|%.*s|%" PRIu64 "|%" PRIu64 "|%" PRIu64, (int)(fd - at), at, seen[0], seen[1],
				seen[2]);
}
