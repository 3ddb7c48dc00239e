// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tasks.c - the receiving side reads into buffers of fixed size, and sends data nowhere but back.
 */
#include "lbt/net/tasks.h"
#include "lbt/net/datagrams.h"
#include "lbt/net/protocol.h"
#include "lbt/net/tcp.h"

static enum ending report(const struct wire *w, const struct report *r)
{
	return protocol_say(w, "done %llu %llu %.6f", (unsigned long long)r->octets,
		(unsigned long long)r->reads, r->cpu) ? SERVED : LEFT;
}

enum ending task_stream(const struct wire *w)
{
	static unsigned char block[BLOCK], in[BLOCK];
	struct report r = { 0 };
	bool right = true;
	double before;
	ssize_t n;

	protocol_fill(block);
	for (size_t first = 0; first < BLOCK; first += (size_t)n)
		if ((n = wire_read(w, in, BLOCK - first)) <= 0)
			return n == 0 ? LEFT : ending_broken(w);
	if (!protocol_say(w, "ready"))
		return ending_broken(w);
	before = protocol_cpu();
	while ((n = wire_read(w, in, BLOCK)) > 0) {
		/*
		 * One octet of each read is compared, each time at another place, which costs
		 * nothing measurable.
		 */
		const unsigned at = (unsigned)r.reads++ % (unsigned)n;
		right &= in[at] == block[(r.octets + at) % BLOCK];
		r.octets += (uint64_t)n;
	}
	if (n == -1)
		return ending_broken(w);
	r.cpu = protocol_cpu() - before;
	return right ? report(w, &r) : ending_refuse(w,
		"other octets have arrived than are sent in this test", OTHER_OCTETS);
}

enum ending task_echo(const struct wire *w)
{
	static char in[BLOCK];
	struct report r = { 0 };
	double before;
	ssize_t n = wire_read(w, in, 1);

	tcp_no_delay(w->fd);
	if (n <= 0 || wire_write(w, in, 1) == -1)
		return n == 0 ? LEFT : ending_broken(w);
	before = protocol_cpu();
	while ((n = wire_read(w, in, BLOCK)) > 0) {
		if (wire_write(w, in, (size_t)n) == -1)
			return ending_broken(w);
		r.octets += (uint64_t)n;
		r.reads++;
	}
	r.cpu = protocol_cpu() - before;
	return n == -1 ? ending_broken(w) : report(w, &r);
}

enum ending task_datagrams(const struct wire *w)
{
	struct report r = { 0 };
	int port;
	const int fd = datagrams_open(w->fd, &port);

	if (fd == -1)
		return ending_refuse(w, "no UDP socket can be made here", NO_SOCKET);
	if (!protocol_say(w, "ok %d", port))
		return ending_broken(w);
	r.cpu = -protocol_cpu();
	if (!datagrams_answer(fd, w, &r))
		return ending_broken(w);
	r.cpu += protocol_cpu();
	return report(w, &r);
}
