// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * truth-exit - what a hypervisor and a kernel cost when a program needs them: cpuid, which no guest
 * may answer by itself, rdtsc, a system call that does nothing, the first write to a page. The
 * result is the time of that system call in ns. It is no test of system calls that do something.
 *
 *	FIGURE|cpuid|1414		ns, the least; not there where a processor has none
 *	FIGURE|rdtsc|19
 *	FIGURE|call|131			ns, the least
 *	FIGURE|fault|640		ns, the median
 *	FIGURE|cycle|0.32		ns of a cycle
 *	FIGURE|bypass|4			what bypass.h says of the protection against speculative store bypass
 *	FIGURE|open|131			ns of the system call without it, and with it
 *	FIGURE|closed|139
 */
#include "bench.h"
#include "truth/truth-exit/bypass.h"
#include "truth/truth-exit/call.h"
#include "truth/truth-exit/trap.h"
#include "truth/shared/chain.h"

static const double NS = 1e9;

static void say(const char *what, double ns)
{
	if (ns > 0)
		channel_say("FIGURE|%s|%.4g", what, ns);
}

int main(int argc, char **argv)
{
	struct bypass_cost bypass;
	struct bench b;
	int64_t part;
	double call;

	bench_begin(&b, argc, argv, NULL);
	b.unit = "ns";
	chain_prove();
	bench_start(&b);
	part = (int64_t)(b.seconds * NS) / 10;
	say("cycle", chain_is_known() ? chain_cycle(part) : 0);
	say("cpuid", trap_cpuid(2 * part));
	say("rdtsc", trap_rdtsc(part / 2));
	call = call_null(2 * part);
	say("call", call);
	say("fault", call_fault(2 * part));
	bypass = bypass_look(2 * part);
	channel_say("FIGURE|bypass|%d", (int)bypass.is);
	if (bypass.is == BYPASS_SWITCHED) {
		say("open", bypass.open);
		say("closed", bypass.closed);
	}
	bench_tick(&b, 1);
	bench_end_figure(&b, call);
}
