// SPDX-License-Identifier: GPL-2.0-or-later
/* read.h - reads a JSON text, and counts its strings in a table. */
#ifndef MODERN_JSON_READ_H
#define MODERN_JSON_READ_H
#include "modern/json/sums.h"
#include "modern/json/table.h"

/* Empties the table first. A text that is no JSON ends the program. */
struct sums json_read(const char *text, struct table *table);

#endif
