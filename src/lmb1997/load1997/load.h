// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * load.h - programs that set themselves up, begin together at a gate, and end when they are done.
 * They report as channel.h shows, each with its number, into a pipe that all share:
 *
 *	3|COUNT|1|1|s
 *	3|TIME|0.481022
 *	5|SKIP|this system has no call to choose a CPU
 *
 * They stay in this process's group. When one has failed, these functions call bench_fail.
 */
#ifndef LOAD_H
#define LOAD_H

#include "child.h"

#include <stdbool.h>

enum { PROGRAMS = 64, WORDS = 400 };

struct program {
	const char *name, *path, *argument;	/* `argument` may be NULL */
	bool absent;		/* it cannot be run here, and `words` say why */
	struct child child;
	double seconds;		/* that its work took, as it says; 0: not known */
	char words[WORDS];
};

struct load {
	int programs, running;
	int ready;		/* how many have said so, until the gate is opened */
	bool open, silent;	/* `silent`: nobody can say anything any more */
	int results[2], readies[2], gate[2];
	char line[512];
	size_t used;
	struct program program[PROGRAMS];
};

/* Those that are not absent, each with as many seconds of work as `seconds` says. */
void load_start(struct load *l, const char *seconds);
/* True until all that run have set themselves up. */
bool load_sets_up(struct load *l);
void load_open_gate(struct load *l);
/* True until the last has ended. */
bool load_works(struct load *l);

#endif
