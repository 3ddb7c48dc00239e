// SPDX-License-Identifier: GPL-2.0-or-later
/* in-memory.h - whether files of a directory are in memory alone, as far as the system tells. */
#ifndef MODERN_IN_MEMORY_H
#define MODERN_IN_MEMORY_H

/* Ends the program (77) where they are. */
void in_memory_refuse(const char *directory);

#endif
