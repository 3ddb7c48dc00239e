// SPDX-License-Identifier: GPL-2.0-or-later
/* progress.h - progress for the user, if there is somebody to read it. */
#ifndef TRANSFER_PROGRESS_H
#define TRANSFER_PROGRESS_H

#include <stdint.h>

struct progress {
	const char *doing;
	uint64_t bytes;		/* in one file */
	int files;
};

/* Called between two pieces, when `done` bytes of this file are done. */
void progress_look(const struct progress *p, int number, uint64_t done);

#endif
