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
 *	FIGURE|bypass|4			what enum bypass says of the protection against speculative store bypass
 *	FIGURE|open|131			ns of the system call without it, and with it
 *	FIGURE|closed|139
 */
#if defined(__linux__)
#define _DEFAULT_SOURCE
#endif
#include "bench.h"
#include "child.h"
#include "spread.h"
#include "truth/shared/chain.h"

#include <sys/mman.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif
#include <unistd.h>

enum { REPEATS = 100, FEWEST = 10, PAGES = 256 };
static const double NS = 1e9;

/*
 * Returns ns, the least of many. Always inline, so that no call is timed with the instruction, whatever
 * the compiler thinks of the size.
 */
__attribute__((always_inline)) static inline double least(void (*instruction)(void), int64_t ns)
{
	const int64_t end = bench_clock() + ns;
	int64_t best = INT64_MAX;

	for (int tries = 0; tries < FEWEST || bench_clock() < end; tries++) {
		alive_or_leave();
		const int64_t begin = bench_clock();
		int64_t took;
		for (int i = 0; i < REPEATS; i++)
			instruction();
		took = bench_clock() - begin;
		best = took < best ? took : best;
	}
	return (double)best / REPEATS;
}

/* --- instructions that leave a virtual machine: ns, the least of many; 0 where there is none */

#if defined(__x86_64__)
static void cpuid(void)
{
	uint32_t leaf = 0, b, c = 0, d;

	__asm__ volatile("cpuid" : "+a"(leaf), "=b"(b), "+c"(c), "=d"(d));
}

static void rdtsc(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
}

/* cpuid always leaves a virtual machine. */
static double trap_cpuid(int64_t ns)
{
	return least(cpuid, ns);
}

/* rdtsc may be trapped. */
static double trap_rdtsc(int64_t ns)
{
	return least(rdtsc, ns);
}
#else
static double trap_cpuid(int64_t ns)
{
	(void)ns;
	return 0;
}

static double trap_rdtsc(int64_t ns)
{
	(void)ns;
	return 0;
}
#endif

/* --- the kernel: ns of a system call that does nothing, and of a new page */

static void null_call(void)
{
	getppid();
}

/*
 * A system call that does nothing, the least of many. The C library keeps no answer of getppid, so each
 * call reaches the kernel.
 */
static double call_null(int64_t ns)
{
	return least(null_call, ns);
}

#if defined(MADV_NOHUGEPAGE)
static void keep_small(char *map, size_t bytes)
{
	madvise(map, bytes, MADV_NOHUGEPAGE);
}
#else
static void keep_small(char *map, size_t bytes)
{
	(void)map;
	(void)bytes;
}
#endif

/*
 * A new page, the median of many; 0 where memory is refused. Each first write to a page takes the time
 * of the clock, too.
 */
static double call_fault(int64_t ns)
{
	static struct spread pages;
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = PAGES * page;
	const int64_t end = bench_clock() + ns;

	pages = (struct spread){ 0 };
	while (bench_clock() < end || pages.count < FEWEST) {
		alive_or_leave();
		char *const map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
		if (map == MAP_FAILED)
			return 0;
		keep_small(map, bytes);
		for (size_t at = 0; at < bytes; at += page) {
			const int64_t begin = bench_clock();
			*(volatile char *)(map + at) = 1;
			spread_add(&pages, (uint64_t)(bench_clock() - begin));
		}
		munmap(map, bytes);
	}
	return spread_at(&pages, 0.5);
}

/*
 * --- what protection against speculative store bypass costs: the only protection of the kernel that a
 * process may switch for itself. A kernel may refuse the question, or kill for it (seccomp).
 */

/* What the kernel says; BYPASS_UNKNOWN also where it may not be asked. */
enum bypass { BYPASS_UNKNOWN, BYPASS_NONE, BYPASS_OPEN, BYPASS_CLOSED, BYPASS_SWITCHED };

struct bypass_cost {
	enum bypass is;		/* costs are there for BYPASS_SWITCHED alone */
	double open, closed;	/* nanoseconds of a system call that does nothing */
};

#if defined(__linux__)
enum { ROUNDS = 8, MISFEATURE = 0, GET = 52, SET = 53 };
/* The kernel's bits: a process may switch it; the misfeature is on; off; off for ever. */
enum { SWITCHABLE = 1, ON = 2, OFF = 4, OFF_FOR_EVER = 8 };

static double lesser(double a, double b)
{
	return a > 0 && a < b ? a : b;
}

static struct bypass_cost look(int64_t ns)
{
	const int answer = prctl(GET, MISFEATURE, 0, 0, 0);
	struct bypass_cost c = { .is = BYPASS_UNKNOWN, .open = 1e9, .closed = 1e9 };

	if (answer >= 0)
		c.is = answer == 0 ? BYPASS_NONE : answer & ON ? BYPASS_OPEN : BYPASS_CLOSED;
	if (answer < 0 || !(answer & SWITCHABLE) || answer & OFF_FOR_EVER)
		return c;
	for (int i = 0; i < ROUNDS; i++) {
		if (prctl(SET, MISFEATURE, ON, 0, 0) == -1)
			return c;
		c.open = lesser(call_null(ns / ROUNDS / 2), c.open);
		if (prctl(SET, MISFEATURE, OFF, 0, 0) == -1)
			return c;
		c.closed = lesser(call_null(ns / ROUNDS / 2), c.closed);
	}
	c.is = BYPASS_SWITCHED;
	return c;
}

/* Takes `ns`, in a child, because nobody else shall run with the protection. */
static struct bypass_cost bypass_look(int64_t ns)
{
	struct bypass_cost c = { .is = BYPASS_UNKNOWN };
	static struct child child;
	int ends[2];

	if (pipe(ends) == -1)
		bench_fail("cannot make a pipe");
	child = (struct child){ .pid = 0 };
	if (child_fork(&child)) {
		c = look(ns);
		_exit(write(ends[1], &c, sizeof c) == sizeof c ? 0 : 1);
	}
	close(ends[1]);
	if (read(ends[0], &c, sizeof c) != sizeof c)
		c.is = BYPASS_UNKNOWN;
	close(ends[0]);
	if (child_wait(&child) != 0)
		c.is = BYPASS_UNKNOWN;
	return c;
}
#else
static struct bypass_cost bypass_look(int64_t ns)
{
	(void)ns;
	return (struct bypass_cost){ .is = BYPASS_UNKNOWN };
}
#endif

/* --- the program */

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
