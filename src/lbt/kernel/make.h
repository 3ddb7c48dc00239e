// SPDX-License-Identifier: GPL-2.0-or-later
/* make.h - calls make for the kernel, with the same words and environment for every target. */
#ifndef MAKE_H
#define MAKE_H

#include "channel.h"
#include "lbt/kernel/command.h"

/* With `compiler` NULL the kernel chooses. */
void make_begin(long jobs, const char *compiler);
const char *make_compiler(void);
const char *make_architecture(void);
/* Returns 64 or 32 if kernels of this architecture always have that width, else 0. */
int make_bits(void);
/* `now` is reported before the number of objects; with NULL nothing is reported. */
struct command_end make_run(const char *tree, const char *objects, const char *target,
		const char *now);

/* Returns formatted text in newly allocated memory. */
char *make_text(const char *format, ...) CHANNEL_FORMAT(1, 2);

#endif
