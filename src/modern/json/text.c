// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text.c - random objects, and the sums that follow from them. No byte of the text is read again.
 */
#include "modern/json/json.h"
#include "mix.h"

#include <stdio.h>
#include <string.h>

enum { SEED = 7, WORDS = 16, TAGS = 4, NAMES = 4096, CENTS = 100000, LONGEST_OBJECT = 256 };

static const char *const word[WORDS] = {
	"amber", "birch", "cedar", "delta", "ember", "fjord", "garnet", "harbor",
	"indigo", "juniper", "kelp", "lantern", "meadow", "nickel", "orchard", "velvet",
};

struct writer {
	char *to;
	uint64_t random;
	struct sums *sums;
};

static unsigned below(struct writer *w, unsigned limit)
{
	return (unsigned)((mix_next(&w->random) >> 32) % limit);
}

static void put(struct writer *w, const char *text)
{
	const size_t length = strlen(text);

	memcpy(w->to, text, length);
	w->to += length;
}

static void put_string(struct writer *w, const char *text)
{
	uint64_t hash = HASH_START;

	for (const char *c = text; *c; c++)
		hash = hash_byte(hash, *c);
	w->sums->strings++;
	w->sums->hashes += hash;
	put(w, "\"");
	put(w, text);
	put(w, "\"");
}

static void put_name(struct writer *w, const char *name)
{
	put_string(w, name);
	put(w, ": ");
}

static void put_numbers(struct writer *w, unsigned id)
{
	const unsigned cents = below(w, CENTS);
	const char *first = word[below(w, WORDS)], *second = word[below(w, WORDS)];
	char text[64];

	put_name(w, "id");
	snprintf(text, sizeof text, "%u, ", id);
	put(w, text);
	put_name(w, "name");
	snprintf(text, sizeof text, "%s-%s-%u", first, second, below(w, NAMES));
	put_string(w, text);
	put(w, ", ");
	put_name(w, "price");
	snprintf(text, sizeof text, "%u.%02u, ", cents / 100, cents % 100);
	put(w, text);
	w->sums->whole += id;
	w->sums->cents += cents;
}

static void put_object(struct writer *w, unsigned id)
{
	const unsigned ok = below(w, 2), tags = below(w, TAGS);

	put(w, "{");
	put_numbers(w, id);
	put_name(w, "ok");
	put(w, ok ? "true, " : "false, ");
	put_name(w, "tags");
	put(w, "[");
	for (unsigned i = 0; i < tags; i++) {
		put(w, i > 0 ? ", " : "");
		put_string(w, word[below(w, WORDS)]);
	}
	put(w, "]}");
	w->sums->objects++;
	w->sums->trues += ok;
}

size_t text_write(char text[TEXT_SIZE], struct sums *sums)
{
	struct writer w = { .to = text, .random = SEED, .sums = sums };

	*sums = (struct sums){ 0 };
	put(&w, "[\n");
	for (unsigned id = 1; w.to - text < TEXT_SIZE - LONGEST_OBJECT; id++) {
		put(&w, id > 1 ? ",\n" : "");
		put_object(&w, id);
	}
	put(&w, "\n]\n");
	*w.to = '\0';
	return (size_t)(w.to - text);
}
