// SPDX-License-Identifier: GPL-2.0-or-later
/* command.h - the commands that hash. */
#ifndef HASH_COMMAND_H
#define HASH_COMMAND_H

#include "platform/hash/algorithm.h"

void command_digest(const struct algorithm *a, const struct input *in, char digest[DIGEST_TEXT]);
/*
 * Returns how the command describes itself, in a line without its end; "none" if there is no such
 * command.
 */
const char *command_version(const char *command);

#endif
