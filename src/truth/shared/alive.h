// SPDX-License-Identifier: GPL-2.0-or-later
/* alive.h - ends a probe that nobody reads any more; probes look at that between what they time. */
#ifndef TRUTH_ALIVE_H
#define TRUTH_ALIVE_H
#include "channel.h"

static inline void alive_or_leave(void)
{
	if (channel_is_dead())
		channel_leave(1);
}

#endif
