// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * place.h - the directory that keeps a build from one pass to the next:
 *
 *	prepared	source, configuration, architecture and compiler of the objects
 *	objects/	the output of make
 *	source/		the contents of the tar file; a source tree is read where it is
 */
#ifndef PLACE_H
#define PLACE_H

#include <stdbool.h>

struct place {
	const char *configuration;
	bool packed;		/* whether `given` is a tar file */
	/* Absolute paths. `tree` is `given` or, if that is a tar file, `source`. */
	char *given, *tree, *source, *unpacked, *objects, *image, *marker;
	char *made_of;		/* the text of the marker, without the number of objects */
};

/* Finds out where everything is, and makes the directory if there is none. */
void place_begin(struct place *p, const char *directory, const char *source,
		const char *configuration);
/*
 * Prepares the directory unless that was done before. Returns the number of objects of the first
 * build.
 */
long place_prepare(const struct place *p);
void place_clean(const struct place *p);
/* Fails unless the build has made a kernel. */
void place_check(const struct place *p);

#endif
