// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * load.h - programs that set themselves up, start together at a gate, and end when they are done.
 * They report as channel.h describes, each with its number, into a pipe that all share:
 *
 *	3|COUNT|1|1|s
 *	3|TIME|0.481022
 *	5|SKIP|this system has no call to choose a CPU
 *
 * They stay in this process's group. When a program has failed, these functions call bench_fail.
 */
#ifndef LOAD_H
#define LOAD_H

#include "child.h"

#include <stdbool.h>

enum { PROGRAMS = 64, WORDS = 400 };

struct program {
	const char *name, *path, *argument;	/* `argument` may be NULL */
	bool absent;		/* the program cannot be run here; `words` say why */
	struct child child;
	double seconds;		/* time of its work, as it reports; 0: not known */
	char words[WORDS];
};

struct load {
	int programs, running;
	int ready;		/* how many have reported to be ready at the gate */
	bool open, silent;	/* `silent`: no program can report any more */
	int results[2], readies[2], gate[2];
	char line[512];
	size_t used;
	struct program program[PROGRAMS];
};

/* Starts all programs that are not absent, each with `seconds` of work. */
void load_start(struct load *l, const char *seconds);
/* True until all running programs have set themselves up. */
bool load_sets_up(struct load *l);
void load_open_gate(struct load *l);
/* True until the last program has ended. */
bool load_works(struct load *l);

#endif
