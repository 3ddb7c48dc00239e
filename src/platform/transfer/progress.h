// SPDX-License-Identifier: GPL-2.0-or-later
/* progress.h - what whoever waits is told, and whether anybody does. */
#ifndef TRANSFER_PROGRESS_H
#define TRANSFER_PROGRESS_H

#include <stdint.h>

struct progress {
	const char *doing;
	uint64_t bytes;		/* of a file */
	int files;
};

/* Between two pieces: so many bytes of the file with this number are done. */
void progress_look(const struct progress *p, int number, uint64_t done);

#endif
