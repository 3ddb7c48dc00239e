// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text.h - writes the text that is read, the same one everywhere:
 *
 *	[
 *	{"id": 7, "name": "fjord-kelp-3121", "price": 41.07, "ok": true, "tags": ["cedar"]},
 *	...
 *	]
 */
#ifndef MODERN_JSON_TEXT_H
#define MODERN_JSON_TEXT_H
#include "modern/json/sums.h"

#include <stddef.h>

enum { TEXT_SIZE = 256 * 1024 };

/* Returns the length. A zero byte follows the text. */
size_t text_write(char text[TEXT_SIZE], struct sums *sums);

#endif
