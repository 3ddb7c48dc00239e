// SPDX-License-Identifier: GPL-2.0-or-later
/* machine.h - a register machine with its program. */
#ifndef MODERN_INTERP_MACHINE_H
#define MODERN_INTERP_MACHINE_H

#include <stdint.h>

/* Numbers from 1 to below LIMIT; the longest sequence of them has 216 steps. */
enum { LIMIT = 3000, MEMORY = 256 };

struct machine {
	uint64_t memory[MEMORY];	/* at i: how many numbers have a sequence of i steps */
	uint64_t number, length;	/* the one with the longest, and its steps */
	uint64_t steps;			/* bytecodes that were executed */
};

/* Runs the program, and returns the steps. */
uint64_t machine_run(struct machine *m);

#endif
