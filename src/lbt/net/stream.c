// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stream.c - throughput: blocks of 8,192 bytes, with 2,048 of them as the unit, as in ttcp. The
 * result counts what has arrived, until the receiver has said so.
 */
#include "lbt/net/tests.h"

#include <inttypes.h>

/* On a slow line, this many blocks take a second or two. */
enum { BLOCKS_A_LOOK = 32, MIB = 1048576 };

static unsigned send_block(const struct peer *p, const unsigned char block[BLOCK])
{
	const int calls = wire_write(&p->wire, block, BLOCK);

	if (calls == -1)
		peer_lost(p, -1);
	return (unsigned)calls;
}

_Noreturn void test_stream(struct bench *b, struct peer *p)
{
	static unsigned char block[BLOCK];
	uint64_t blocks = 0, calls = 0;
	char line[LINE];
	struct report r;

	b->unit = "MiBps";
	protocol_fill(block);
	send_block(p, block);
	peer_hear(p, "ready", line, GREETING_SECONDS);
	bench_start(b);
	do {
		for (int i = 0; i < BLOCKS_A_LOOK; i++)
			calls += send_block(p, block);
		blocks += BLOCKS_A_LOOK;
	} while (bench_tick(b, blocks));
	peer_stop(p);
	peer_report(p, &r);
	bench_tick(b, blocks);
	if (r.octets != blocks * BLOCK)
		bench_wrong("%" PRIu64 " bytes were sent and %" PRIu64 " have arrived",
			blocks * BLOCK, r.octets);
	channel_say("FIGURE|calls|%" PRIu64, calls);
	channel_say("FIGURE|reads|%" PRIu64, r.reads);
	peer_leave(p, b, &r);
	bench_end_figure(b, (double)r.octets / MIB / ((double)(b->now - b->start) / 1e9));
}
