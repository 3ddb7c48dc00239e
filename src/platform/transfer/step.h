// SPDX-License-Identifier: GPL-2.0-or-later
/* step.h - the steps of transfer. Each goes over all files and returns the seconds it took. */
#ifndef TRANSFER_STEP_H
#define TRANSFER_STEP_H

#include "platform/transfer/contents.h"
#include "platform/transfer/place.h"

struct job {
	struct contents contents;
	uint64_t bytes;		/* in one file */
	int files;
	unsigned char *buffer;
};

void step_prepare(struct job *j);
double step_write(const struct job *j);
/* `doing` names the step in messages: "reading" or "reading back". */
double step_read(const struct job *j, enum where w, const char *doing);
double step_copy(const struct job *j);
/*
 * Drops the files from the page cache. Returns the share that is gone; negative if that is
 * unknown.
 */
double step_forget(const struct job *j, enum where w);

#endif
