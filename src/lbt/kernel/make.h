// SPDX-License-Identifier: GPL-2.0-or-later
/* make.h - make as it is called for the kernel: the same words and environment for every target. */
#ifndef MAKE_H
#define MAKE_H

#include "channel.h"
#include "lbt/kernel/command.h"

/* `compiler` NULL: the kernel's own choice. */
void make_begin(long jobs, const char *compiler);
const char *make_compiler(void);
const char *make_architecture(void);
/* 64 or 32 where a kernel of this architecture is always so wide, else 0. */
int make_bits(void);
/* `now` is said before the number of objects; NULL: nothing is said. */
struct command_end make_run(const char *tree, const char *objects, const char *target,
		const char *now);

/* Text in memory of its own. */
char *make_text(const char *format, ...) CHANNEL_FORMAT(1, 2);

#endif
