// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * read.c - a reader by recursive descent: each function begins at the first byte of its value and
 * leaves `at` behind the last. Strings have no escapes, because the text has none, and numbers
 * have no sign.
 */
#include "modern/json/json.h"
#include "bench.h"

#include <string.h>

struct reader {
	const char *at;
	struct table *table;
	struct sums sums;
};

static void read_value(struct reader *r);

static _Noreturn void fail(const struct reader *r, const char *wanted)
{
	bench_wrong("the text has '%.10s' where %s is due", r->at, wanted);
}

static void skip_space(struct reader *r)
{
	while (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r')
		r->at++;
}

/* True if this is the next byte, which is then skipped together with space around it. */
static bool took(struct reader *r, char byte)
{
	skip_space(r);
	if (*r->at != byte)
		return false;
	r->at++;
	skip_space(r);
	return true;
}

static void read_string(struct reader *r)
{
	uint64_t hash = HASH_START;

	if (*r->at != '"')
		fail(r, "a string");
	for (r->at++; *r->at != '"'; r->at++) {
		if (*r->at == '\0' || *r->at == '\\')
			fail(r, "a plain character");
		hash = hash_byte(hash, *r->at);
	}
	r->at++;
	r->sums.strings++;
	r->sums.hashes += hash;
	table_count(r->table, hash);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static uint64_t digit(char c)
{
	return (uint64_t)(c - '0');
}

static void read_number(struct reader *r)
{
	uint64_t number = 0;

	while (is_digit(*r->at))
		number = number * 10 + digit(*r->at++);
	if (*r->at != '.') {
		r->sums.whole += number;
		return;
	}
	if (!is_digit(r->at[1]) || !is_digit(r->at[2]) || is_digit(r->at[3]))
		fail(r, "a number with two decimals");
	r->sums.cents += number * 100 + digit(r->at[1]) * 10 + digit(r->at[2]);
	r->at += 3;
}

static void read_word(struct reader *r, const char *word)
{
	const size_t length = strlen(word);

	if (strncmp(r->at, word, length) != 0)
		fail(r, "a value");
	r->at += length;
}

static void read_array(struct reader *r)
{
	r->at++;
	if (took(r, ']'))
		return;
	do
		read_value(r);
	while (took(r, ','));
	if (!took(r, ']'))
		fail(r, "the end of an array");
}

static void read_object(struct reader *r)
{
	r->at++;
	r->sums.objects++;
	if (took(r, '}'))
		return;
	do {
		read_string(r);
		if (!took(r, ':'))
			fail(r, "a colon");
		read_value(r);
	} while (took(r, ','));
	if (!took(r, '}'))
		fail(r, "the end of an object");
}

static void read_value(struct reader *r)
{
	switch (*r->at) {
	case '{':
		read_object(r);
		break;
	case '[':
		read_array(r);
		break;
	case '"':
		read_string(r);
		break;
	case 't':
		read_word(r, "true");
		r->sums.trues++;
		break;
	case 'f':
		read_word(r, "false");
		break;
	default:
		if (!is_digit(*r->at))
			fail(r, "a value");
		read_number(r);
	}
}

struct sums json_read(const char *text, struct table *table)
{
	struct reader r = { .at = text, .table = table };

	memset(table, 0, sizeof *table);
	skip_space(&r);
	read_value(&r);
	skip_space(&r);
	if (*r.at != '\0')
		fail(&r, "the end");
	return r.sums;
}
