// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * place.h - the directory that keeps a build from one pass to the next:
 *
 *	prepared	of what source, configuration, architecture and compiler the objects are
 *	objects/	what make writes
 *	source/		what was in the tar file; a tree is read where it is
 */
#ifndef PLACE_H
#define PLACE_H

#include <stdbool.h>

struct place {
	const char *configuration;
	bool packed;		/* what was given is a tar file */
	/* Absolute; `tree` is `given` or, where that is a tar file, `source`. */
	char *given, *tree, *source, *unpacked, *objects, *image, *marker;
	char *made_of;		/* the text of the marker, but for the number of objects */
};

/* Finds out where everything is, and makes the directory where there is none. */
void place_begin(struct place *p, const char *directory, const char *source,
		const char *configuration);
/* Prepares the directory unless it is prepared. Returns how many objects the first build had. */
long place_prepare(const struct place *p);
void place_clean(const struct place *p);
/* Fails unless there is a kernel. */
void place_check(const struct place *p);

#endif
