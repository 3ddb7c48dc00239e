// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * count-events - opens counters of perf_event_open for itself and its children, and becomes a measured
 * program, which switches them on and off and reports them (perf.h).
 *
 *	count-events instructions,cycles,migrations PROGRAM [ARGUMENTS]
 *
 * Events of the processor are counted in user mode and in the kernel separately. Where there is no
 * counter, it reports the reason; "hardware" are all counters of the processor:
 *
 *	NOEVENT|cycles_kernel|perf_event_paranoid is 2
 *	NOEVENT|hardware|the kernel has no hardware counters here
 */
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__) && defined(__has_include)
#if __has_include(<linux/perf_event.h>)
#define HAS_PERF 1
#endif
#endif

enum { TEXT = 400 };

#if defined(HAS_PERF)
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>

/* A miss of reads in the table of page addresses, as the kernel encodes it. */
enum { TLB_MISSES = PERF_COUNT_HW_CACHE_DTLB | PERF_COUNT_HW_CACHE_OP_READ << 8
	| PERF_COUNT_HW_CACHE_RESULT_MISS << 16 };

static const struct event {
	const char *name;
	uint32_t type;
	uint64_t config;
} EVENTS[] = {
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "branch_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
	{ "cache_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ "tlb_misses", PERF_TYPE_HW_CACHE, TLB_MISSES },
	{ "migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
};
enum { KINDS = sizeof EVENTS / sizeof EVENTS[0], MOST = 2 * KINDS };

/* The order of modes is that of MODES. The kernel itself counts migrations, whoever runs. */
enum { USER, KERNEL, ALL };
static const char *const MODES[] = { "_user", "_kernel", "" };

static struct counter {
	const struct event *event;
	int mode;
	int fd;			/* below zero: minus the errno of a counter that cannot be had */
} counter[MOST];
static int counters;

static int open_counter(const struct event *event, int mode)
{
	struct perf_event_attr wanted = {
		.size = sizeof wanted,
		.type = event->type,
		.config = event->config,
		.disabled = 1,
		.inherit = 1,
		.exclude_user = mode == KERNEL,
		.exclude_kernel = mode == USER,
		.exclude_hv = mode != ALL,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	const int fd = (int)syscall(SYS_perf_event_open, &wanted, 0, -1, -1, 0);

	return fd == -1 ? -errno : fd;
}

static void open_counters(const char *name, size_t length)
{
	for (int i = 0; i < KINDS && counters < MOST; i++) {
		const bool is_hardware = EVENTS[i].type != PERF_TYPE_SOFTWARE;

		if (strncmp(EVENTS[i].name, name, length) != 0 || EVENTS[i].name[length] != '\0')
			continue;
		for (int mode = is_hardware ? USER : ALL; mode <= (is_hardware ? KERNEL : ALL); mode++)
			counter[counters++] = (struct counter){ &EVENTS[i], mode, open_counter(&EVENTS[i], mode) };
	}
}

/* The kernel's words for "no such file" and the like do not explain why there is no counter. */
static const char *why(int error, char text[TEXT])
{
	char level[8] = "";
	int fd;

	switch (error) {
	case ENOENT: case ENODEV: case EOPNOTSUPP:
		return "the kernel has no hardware counters here";
	case ENOSYS:
		return "the kernel has no perf_event_open";
	case EPERM:
		return "a filter of system calls forbids perf_event_open";
	case EACCES:
		fd = open("/proc/sys/kernel/perf_event_paranoid", O_RDONLY | O_CLOEXEC);
		if (fd != -1 && read(fd, level, sizeof level - 1) > 0)
			level[strcspn(level, "\n")] = '\0';
		if (fd != -1)
			close(fd);
		snprintf(text, TEXT, "perf_event_paranoid is %s", level[0] != '\0' ? level : "too high");
		return text;
	default:
		snprintf(text, TEXT, "perf_event_open: %s", strerror(error));
		return text;
	}
}

/* Minus the errno for which there is no counter of the processor; 0 where there is one or reasons differ. */
static int trouble_of_hardware(void)
{
	int trouble = 0;

	for (int i = 0; i < counters; i++) {
		if (counter[i].mode == ALL)
			continue;
		if (counter[i].fd >= 0 || (trouble != 0 && counter[i].fd != trouble))
			return 0;
		trouble = counter[i].fd;
	}
	return trouble;
}

static void report_missing(void)
{
	const int trouble = trouble_of_hardware();
	char text[TEXT];

	if (trouble != 0)
		channel_say("NOEVENT|hardware|%s", why(-trouble, text));
	for (int i = 0; i < counters; i++)
		if (counter[i].fd < 0 && (counter[i].mode == ALL || trouble == 0))
			channel_say("NOEVENT|%s%s|%s", counter[i].event->name, MODES[counter[i].mode],
				why(-counter[i].fd, text));
}

static void hand_over(void)
{
	char text[TEXT];
	size_t used = (size_t)snprintf(text, sizeof text, "%ld", (long)getpid());

	for (int i = 0; i < counters && used < sizeof text; i++)
		if (counter[i].fd >= 0)
			used += (size_t)snprintf(text + used, sizeof text - used, ",%s%s=%d",
				counter[i].event->name, MODES[counter[i].mode], counter[i].fd);
	if (used >= sizeof text || setenv("TS_EVENTS", text, 1) == -1)
		bench_fail("cannot hand over the counters");
}

static void count(const char *names)
{
	for (size_t length; *names != '\0'; names += length + (names[length] == ',')) {
		length = strcspn(names, ",");
		open_counters(names, length);
	}
	report_missing();
	hand_over();
}
#else
static void count(const char *names)
{
	(void)names;
	channel_say("NOEVENT|hardware|this system has no perf_event_open");
	channel_say("NOEVENT|migrations|this system has no perf_event_open");
}
#endif

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: %s EVENTS PROGRAM [ARGUMENTS]\n", argv[0]);
		return 2;
	}
	unsetenv("TS_EVENTS");
	channel_open();
	count(argv[1]);
	channel_keep();
	execv(argv[2], argv + 2);
	bench_fail("cannot run '%.300s'", argv[2]);
}
