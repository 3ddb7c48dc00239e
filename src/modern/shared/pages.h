// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pages.h - memory in huge pages, or in the usual small ones. A system may refuse huge pages
 * without a word, and every access then costs more, so a program tells what it got:
 *
 *	FIGURE|huge|0.998|each		so much of the memory is in huge pages
 *	MISSING|huge|only 12 % ...	huge ones were asked for, and hardly any were given
 *	HOW|unknown-pages		this system does not tell
 */
#ifndef MODERN_PAGES_H
#define MODERN_PAGES_H

#include <stddef.h>

enum pages_kind { PAGES_SMALL, PAGES_HUGE };

struct pages {
	void *memory;
	size_t bytes;
	enum pages_kind kind;
};

/* Reads the word `small` or `huge`; any other is a usage error. */
enum pages_kind pages_kind(const char *word);
/* Nothing of this memory is touched yet, and it begins with a page. No memory ends the program. */
struct pages pages_map(size_t bytes, enum pages_kind kind);
/* For memory that was touched. */
void pages_say(const struct pages *p);

#endif
