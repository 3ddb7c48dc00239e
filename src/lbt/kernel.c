// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel - one pass is one timed build of the Linux kernel's vmlinux by JOBS jobs. SECONDS is
 * accepted and not used: a build takes as long as it takes. Unpacking, configuring, a first build
 * and `make clean` come before the clock starts; modules and compressed images are never built.
 *
 * SOURCE is a source tree, which is only read, or a tar file. CONFIG is a target such as
 * tinyconfig. DIRECTORY keeps objects, and the unpacked source, from one pass to the next. CC is
 * the compiler, also for the tools that the build needs; without CC the kernel chooses, and it
 * chooses gcc.
 */
#include "bench.h"
#include "lbt/kernel/command.h"
#include "lbt/kernel/make.h"
#include "lbt/kernel/place.h"
#include "watch.h"

#include <string.h>

enum { MAX_JOBS = 100000 };

/*
 * Objects that `make clean` left from the build before would not be built again. The limit is
 * half, because the first build also made tools, which may stay.
 */
static void check_work(long objects, long before)
{
	if (objects < before / 2)
		bench_wrong("only %ld of %ld objects were built: 'make clean' leaves the others",
			objects, before);
}

/*
 * Returns `text` if it is a target for configuration, and neither an option nor a variable for
 * make.
 */
static const char *configuration(const char *text)
{
	const char *letters = "abcdefghijklmnopqrstuvwxyz0123456789_.-ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	const size_t length = strlen(text), end = strlen("config");

	if (length < end || strcmp(text + length - end, "config") != 0 || text[0] == '-' ||
			text[strspn(text, letters)] != '\0')
		bench_usage();
	return text;
}

int main(int argc, char **argv)
{
	struct command_end end;
	static struct place place;
	struct bench b;
	long before;

	bench_begin(&b, argc, argv, "SECONDS JOBS DIRECTORY SOURCE CONFIG [CC]");
	if (argc < 6 || argc > 7)
		bench_usage();
	b.unit = BENCH_SECONDS;
	make_begin(bench_number(argv[2], "JOBS", 1, MAX_JOBS), argc > 6 ? argv[6] : NULL);
	place_begin(&place, argv[3], argv[4], configuration(argv[5]));
	bench_watch();

	before = place_prepare(&place);
	place_clean(&place);
	bench_start(&b);
	end = make_run(place.tree, place.objects, "vmlinux", "");
	bench_tick(&b, 1);
	command_check(&end, "make vmlinux");
	place_check(&place);
	check_work(end.objects, before);
	bench_end(&b);
}
