// SPDX-License-Identifier: GPL-2.0-or-later
/* echo.c - latency of a stream: one operation sends one byte and waits until it comes back. */
#include "lbt/net/tests.h"

static void round_trip(const struct peer *p, unsigned char sent)
{
	unsigned char got;
	ssize_t n;

	if (wire_write(&p->wire, &sent, 1) == -1)
		peer_lost(p, -1);
	n = wire_read(&p->wire, &got, 1);
	if (n <= 0)
		peer_lost(p, n);
	if (got != sent)
		bench_wrong("byte %d came back as %d", sent, got);
}

_Noreturn void test_echo(struct bench *b, struct peer *p)
{
	unsigned char next = 0;
	struct report r;

	tcp_no_delay(p->wire.fd);
	round_trip(p, next);
	while (bench_next(b))
		round_trip(p, ++next);
	peer_stop(p);
	peer_report(p, &r);
	if (r.octets != b->count)
		bench_wrong("%llu bytes were sent and %llu have arrived",
			(unsigned long long)b->count, (unsigned long long)r.octets);
	peer_leave(p, b, &r);
	bench_end(b);
}
