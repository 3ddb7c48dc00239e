// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * execl - one operation replaces the process with a fresh copy of its own program. No process is
 * created or waited for: this measures taking down one address space, and mapping, linking and
 * starting the next. The program is called by hand as `execl SECONDS`, and by itself as `PATH
 * SECONDS STATE PROOF`, where PROOF is `count,time,process`, which must match what arrives.
 */
#include "bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Each exec has 8 KB of zeroes to map, as in UnixBench; only the first page is touched. */
static char room[8192];

static bool is_program(const char *path)
{
	struct stat s;

	return stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, X_OK) == 0;
}

static char *join(const char *folder, size_t length, const char *name)
{
	const size_t size = length + strlen(name) + 2;
	char *path = malloc(size);

	if (!path)
		bench_fail("no memory for a path");
	snprintf(path, size, "%.*s%s%s", (int)length, folder, length > 0 ? "/" : "", name);
	return path;
}

static const char *on_path(const char *name)
{
	const char *folder = getenv("PATH");
	size_t length;
	char *path;

	for (; folder; folder = folder[length] == ':' ? folder + length + 1 : NULL) {
		length = strcspn(folder, ":");
		path = join(folder, length, name);
		if (is_program(path))
			return path;
		free(path);
	}
	return NULL;
}

/* /proc is the last resort, for a caller that gave a wrong name in argv[0]. */
static const char *own_path(const char *name)
{
	const char *folder = getenv("UB_BINDIR");
	const char *path = folder ? join(folder, strlen(folder), "execl") : NULL;

	if (path && is_program(path))
		return path;
	path = strchr(name, '/') ? name : on_path(name);
	if (path && is_program(path))
		return path;
	if (!is_program("/proc/self/exe"))
		bench_fail("cannot find '%.300s'", name);
	return "/proc/self/exe";
}

/*
 * Returns the process id of the first of these programs, from PROOF: the system is asked for the
 * id again only at the end.
 */
static long arrive(struct bench *b, char **argv)
{
	uint64_t count;
	int64_t sent, start;
	long process;

	bench_begin_for(b, argv[0], argv[1], NULL);
	bench_load(b, argv[2]);
	if (sscanf(argv[3], "%" SCNu64 ",%" SCNd64 ",%ld", &count, &sent, &process) != 3)
		bench_usage();
	if (count != b->count)
		bench_wrong("exec number %" PRIu64 " was sent, %" PRIu64 " arrived", count, b->count);
	start = b->start;
	if (!bench_tick(b, b->count + 1)) {
		if (process != (long)getpid())
			bench_wrong("process %ld was replaced, process %ld arrived", process, (long)getpid());
		bench_end(b);
	}
	if (b->now < sent || sent < start)
		bench_wrong("the clock went back: %" PRId64 ", %" PRId64 ", %" PRId64, start, sent, b->now);
	return process;
}

int main(int argc, char **argv)
{
	char *state = room, *proof = room + BENCH_STATE;
	const char *path;
	struct bench b;
	long process;

	if (argc == 4) {
		path = argv[0];
		process = arrive(&b, argv);
	} else {
		bench_begin(&b, argc, argv, NULL);
		path = own_path(argv[0]);
		process = getpid();
		bench_start(&b);
	}
	bench_save(&b, state);
	snprintf(proof, BENCH_STATE, "%" PRIu64 ",%" PRId64 ",%ld", b.count, b.now, process);
	execl(path, path, argv[1], state, proof, (char *)NULL);
	bench_fail("cannot execute '%.300s'", path);
}
