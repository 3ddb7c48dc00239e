// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command.h - runs make, tar or rm to its end and reports on the channel what it is doing, at most
 * once a second. Its output is read and not shown: lines that name objects are counted, and the
 * line that tells most about a failure is kept.
 */
#ifndef COMMAND_H
#define COMMAND_H

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

#endif
