// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.h - runs make, tar or rm to its end and says on the channel what it is doing, at most
 * once a second. What it prints is read and not shown: lines that name objects are counted, and the
 * line that tells most about a failure is kept.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include <stdbool.h>

enum { COMMAND_WORDS = 200 };

struct command {
	char **words;
	/* The first word where the system has no command of that name; NULL: none. */
	char *otherwise;
	/* What to say: "unpacking the source". NULL: nothing. */
	const char *now;
	/* Say also how many objects there are: "412 objects". */
	bool counts;
};

struct command_end {
	int cause;		/* the errno of a command that cannot be run; `last` is its name */
	int status;		/* as wait gives it */
	long objects;		/* lines such as "  CC      init/main.o" */
	char last[COMMAND_WORDS];
};

struct command_end command_run(const struct command *c);
/* Fails with the command's last words unless it has ended with status 0. */
void command_check(const struct command_end *end, const char *what);

#endif
