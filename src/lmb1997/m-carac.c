// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * m-carac - one unit goes 40 times through a text of 1 MB, byte by byte: it changes the case of
 * all letters, counts words, counts each letter, reverses each word and searches for a word. This
 * measures the program's own loops over bytes, not the string functions of the C library.
 */
#include "bench.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ROUNDS is even because two rounds restore the text. */
enum { SIZE = 1 << 20, ROUNDS = 40, ALPHABET = 26, LOWER = 'a' ^ 'A' };
enum { WORDS = 174067, FOUND = 7194 };
static const uint32_t LETTERS = 1777873309u;

static const char *const vocabulary[] = {
	"a", "anvil", "and", "baker", "before", "bell", "bridge", "candle", "carries", "cold", "does",
	"evening", "every", "farmer", "finds", "gold", "grey", "harbour", "hears", "in", "is", "jug",
	"keeps", "lantern", "light", "merchant", "morning", "near", "never", "of", "old", "paper",
	"quiet", "river", "road", "sees", "stone", "the", "touchstone", "under", "valley", "weighs",
	"winter", "year", "young", "zinc",
};
enum { VOCABULARY = sizeof(vocabulary) / sizeof(vocabulary[0]) };

static char original[SIZE], text[SIZE];
static char wanted[] = "stone";

/*
 * The bits are taken from the middle of a linear congruential generator, whose low bits are poor.
 */
static uint32_t below(uint32_t limit)
{
	static uint32_t random = 1997;

	random = random * 1664525 + 1013904223;
	return (random >> 8) % limit;
}

static void append(size_t *size, const char *word)
{
	for (; *word != '\0' && *size < SIZE; word++)
		original[(*size)++] = *word;
}

/* Writes sentences of 4 to 12 words, one in four with a comma inside; the last may be cut off. */
static void write_text(void)
{
	size_t size = 0;

	while (size < SIZE) {
		const size_t start = size;
		const uint32_t words = 4 + below(9);
		const uint32_t comma = below(4) == 0 ? 1 + below(words - 1) : 0;

		for (uint32_t i = 1; i <= words; i++) {
			append(&size, vocabulary[below(VOCABULARY)]);
			append(&size, i == words ? ".\n" : i == comma ? ", " : " ");
		}
		original[start] ^= LOWER;
	}
}

static bool is_letter(char c)
{
	return (unsigned)((c | LOWER) - 'a') < ALPHABET;
}

static void change_case(char *s, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (is_letter(s[i]))
			s[i] ^= LOWER;
}

static long count_words(const char *s, size_t size)
{
	bool inside = false;
	long words = 0;

	for (size_t i = 0; i < size; i++) {
		const bool letter = is_letter(s[i]);

		if (letter && !inside)
			words++;
		inside = letter;
	}
	return words;
}

/* Returns the counts of all letters combined in one number, modulo 2^32. */
static uint32_t count_letters(const char *s, size_t size)
{
	uint32_t letters[ALPHABET] = { 0 }, sum = 0;

	for (size_t i = 0; i < size; i++)
		if (is_letter(s[i]))
			letters[(s[i] | LOWER) - 'a']++;
	for (int i = 0; i < ALPHABET; i++)
		sum = sum * 31 + letters[i];
	return sum;
}

static void turn_words(char *s, size_t size)
{
	for (size_t start = 0; start < size; start++) {
		size_t end = start;

		while (end < size && is_letter(s[end]))
			end++;
		for (size_t i = start, j = end; i + 1 < j; i++) {
			const char kept = s[i];

			s[i] = s[--j];
			s[j] = kept;
		}
		start = end;
	}
}

static long count_found(const char *s, size_t size, const char *word, size_t length)
{
	long found = 0;

	for (size_t i = 0; i + length <= size; i++) {
		size_t same = 0;

		while (same < length && s[i + same] == word[same])
			same++;
		if (same == length)
			found++;
	}
	return found;
}

/* The wanted word is changed along with the text, so that each round finds it equally often. */
static void one_round(void)
{
	const size_t length = sizeof(wanted) - 1;
	long words, found;
	uint32_t letters;

	change_case(text, SIZE);
	change_case(wanted, length);
	words = count_words(text, SIZE);
	letters = count_letters(text, SIZE);
	turn_words(text, SIZE);
	turn_words(wanted, length);
	found = count_found(text, SIZE, wanted, length);
	if (words != WORDS)
		bench_wrong("there are %ld words, not %d", words, WORDS);
	if (letters != LETTERS)
		bench_wrong("the checksum of the text is %u, not %u", letters, LETTERS);
	if (found != FOUND)
		bench_wrong("a word was found %ld times, not %d", found, FOUND);
}

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, argc, argv, NULL);
	b.unit = BENCH_SECONDS;
	write_text();
	memcpy(text, original, SIZE);
	while (bench_next(&b))
		for (int i = 0; i < ROUNDS; i++)
			one_round();
	bench_stop(&b);
	if (memcmp(text, original, SIZE) != 0)
		bench_wrong("the text is not restored");
	bench_end(&b);
}
