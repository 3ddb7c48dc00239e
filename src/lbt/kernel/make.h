// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * make.h - calls make for the kernel, with the same words and environment for every target. make, tar
 * and rm run to their end, and what they are doing is reported on the channel, at most once a second.
 * Their output is read and not shown: lines that name objects are counted, and the line that tells
 * most about a failure is kept.
 */
#ifndef MAKE_H
#define MAKE_H

#include "channel.h"

#include <stdbool.h>

enum { COMMAND_WORDS = 200 };

struct command {
	char **words;
	/* Replaces the first word if the system has no command of that name; may be NULL. */
	char *otherwise;
	/* Reported while the command runs, for example "unpacking the source"; NULL: nothing. */
	const char *now;
	/* Whether to report the number of objects too: "412 objects". */
	bool counts;
};

struct command_end {
	int cause;		/* errno if the command cannot be run; then `last` is its name */
	int status;		/* as wait returns it */
	long objects;		/* number of lines such as "  CC      init/main.o" */
	char last[COMMAND_WORDS];
};

struct command_end command_run(const struct command *c);
/* Fails with the line in `last` unless the command has ended with status 0. */
void command_check(const struct command_end *end, const char *what);

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
