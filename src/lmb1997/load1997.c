// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * load1997 - the load test: programs of DIRECTORY, each with one unit of work, start at the same
 * moment, and the result is the time until the last has ended. PROGRAM=ARGUMENT passes an argument
 * to a program. One load is measured, whatever SECONDS says. The CPU time is that of the programs,
 * their set-up included.
 *
 *	FIGURE|programs|14		number of programs that took part
 *	FIGURE|m-permut|0.031240	seconds that this program took, by its own clock
 *	MISSING|m-vir.f|it is not built: Fortran needs gfortran
 */
#include "bench.h"
#include "lmb1997/load1997/load.h"
#include "watch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 40, FIRST = 3 };
/* A program always completes at least one unit. */
static const char ONE_UNIT[] = "0.000001";

/* The name must be valid as that of a FIGURE. */
static bool is_name(const char *text)
{
	const size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");

	return length > 0 && length <= LONGEST && text[length] == '\0' && text[0] != '.';
}

static const char *path_of(const char *directory, const char *name)
{
	const size_t size = strlen(directory) + strlen(name) + 2;
	char *path = malloc(size);

	if (!path)
		bench_fail("no memory for a path");
	snprintf(path, size, "%s/%s", directory, name);
	return path;
}

static bool is_fortran(const char *name)
{
	const size_t length = strlen(name);

	return length > 2 && strcmp(name + length - 2, ".f") == 0;
}

static struct program program_from(const char *directory, char *word)
{
	char *const equals = strchr(word, '=');
	struct program p = { .name = word, .argument = equals ? equals + 1 : NULL };

	if (equals)
		*equals = '\0';
	if (!is_name(p.name))
		bench_usage();
	p.path = path_of(directory, p.name);
	p.absent = access(p.path, F_OK) == -1 && errno == ENOENT;
	if (p.absent)
		snprintf(p.words, sizeof p.words, "%s", is_fortran(p.name) ?
			"it is not built: Fortran needs gfortran" :
			"the program is missing");
	return p;
}

static int taking_part(const struct load *load)
{
	int n = 0;

	for (int i = 0; i < load->programs; i++)
		n += !load->program[i].absent;
	return n;
}

static void say_results(const struct load *load)
{
	channel_say("FIGURE|programs|%d", taking_part(load));
	for (int i = 0; i < load->programs; i++)
		if (!load->program[i].absent)
			channel_say("FIGURE|%s|%.6f", load->program[i].name, load->program[i].seconds);
	for (int i = 0; i < load->programs; i++)
		if (load->program[i].absent)
			channel_say("MISSING|%s|%s", load->program[i].name, load->program[i].words);
}

static _Noreturn void skip(const struct load *load)
{
	const struct program *const first = &load->program[0];

	bench_skip("none of the programs can run: %s: %s", first->name, first->words);
}

int main(int argc, char **argv)
{
	static struct load load;
	struct bench b;

	bench_begin(&b, argc, argv, "SECONDS DIRECTORY PROGRAM[=ARGUMENT] ...");
	b.unit = BENCH_SECONDS;
	b.unequal = true;
	if (argc <= FIRST || argc > FIRST + PROGRAMS || argv[2][0] == '\0')
		bench_usage();
	for (int i = FIRST; i < argc; i++)
		load.program[load.programs++] = program_from(argv[2], argv[i]);
	bench_watch();
	load_start(&load, ONE_UNIT);
	while (load_sets_up(&load))
		continue;
	if (load.running == 0)
		skip(&load);
	bench_start(&b);
	load_open_gate(&load);
	while (load_works(&load))
		continue;
	bench_tick(&b, 1);
	if (taking_part(&load) == 0)
		skip(&load);
	say_results(&load);
	bench_end(&b);
}
