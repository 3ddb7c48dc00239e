// SPDX-License-Identifier: GPL-2.0-or-later
/* tail.c - the quantiles that tail.h shows. */
#include "modern/shared/tail.h"

#include "channel.h"

#include <inttypes.h>
#include <stddef.h>

static const double NS = 1e9;

void tail_say(const struct spread *times)
{
	static const struct {
		const char *name;
		double share;
	} quantiles[] = { { "p50", 0.5 }, { "p90", 0.9 }, { "p99", 0.99 }, { "p99.9", 0.999 } };

	for (size_t i = 0; i < sizeof quantiles / sizeof quantiles[0]; i++)
		channel_say("FIGURE|%s|%.9g|s", quantiles[i].name, spread_at(times, quantiles[i].share) / NS);
	channel_say("FIGURE|max|%.9g|s", (double)times->greatest / NS);
	channel_say("FIGURE|samples|%" PRIu64, times->count);
}
