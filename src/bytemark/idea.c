// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * idea - one iteration encrypts and decrypts 4,000 bytes a hundred times with the IDEA cipher:
 * multiplications modulo 65537, additions and exclusive ors of 16 bits. The multiplication
 * branches, as programs of its time did; code without branches would be a different test.
 */
#include "bytemark/shared/run.h"

#include <inttypes.h>
#include <string.h>

enum { LOOPS = 100, BYTES = 4000, WORDS = BYTES / 2 };
enum { BLOCK = 4, KEY = 8, ROUNDS = 8, SUBKEYS = 52 };	/* in words */
enum { KEY_RANGE = 60000, TEXT_RANGE = 255, INVERSE_BITS = 16 };
static const uint64_t TEXT_HASH = UINT64_C(0x7e08ca0eda7f191a);
static const uint64_t CRYPT_HASH = UINT64_C(0xf07e6971a6bb9616);

enum { BLOCKS, MULTIPLICATIONS };
static const char *const tallies[] = { "blocks", "multiplications", NULL };

struct work {
	uint16_t encrypt[SUBKEYS], decrypt[SUBKEYS];
	/* The lower byte of a word comes first, on every machine. */
	uint16_t *plain, *crypt, *again;
	uint64_t words;
};

/* Multiplies modulo 65537; 0 represents 65536. */
static uint16_t multiply(uint16_t a, uint16_t b)
{
	TALLY(MULTIPLICATIONS, 1);
	if (a) {
		if (b) {
			const uint32_t product = (uint32_t)a * b;
			const uint16_t low = (uint16_t)product, high = (uint16_t)(product >> 16);

			return (uint16_t)(low - high + (low < high));
		}
		return (uint16_t)(1 - a);
	}
	return (uint16_t)(1 - b);
}

/* By Fermat's theorem the inverse is the power of 65535, which in binary is sixteen ones. */
static uint16_t inverse(uint16_t a)
{
	uint16_t power = 1;

	for (int bit = 0; bit < INVERSE_BITS; bit++)
		power = multiply(multiply(power, power), a);
	return power;
}

static uint16_t negative(uint16_t a)
{
	return (uint16_t)(0 - a);
}

static void expand_key(const uint16_t key[KEY], uint16_t z[SUBKEYS])
{
	memcpy(z, key, KEY * sizeof *z);
	for (int k = KEY; k < SUBKEYS; k++) {
		const int high = k % KEY == 7 ? k - 15 : k - 7;
		const int low = k % KEY < 6 ? k - 6 : k - 14;

		z[k] = (uint16_t)(z[high] << 9 | z[low] >> 7);
	}
}

static void invert_key(const uint16_t z[SUBKEYS], uint16_t d[SUBKEYS])
{
	for (int round = 0; round <= ROUNDS; round++, d += 6) {
		const uint16_t *const from = z + 6 * (ROUNDS - round);
		const bool swapped = round > 0 && round < ROUNDS;

		d[0] = inverse(from[0]);
		d[1] = negative(from[swapped ? 2 : 1]);
		d[2] = negative(from[swapped ? 1 : 2]);
		d[3] = inverse(from[3]);
		if (round < ROUNDS) {
			d[4] = from[-2];
			d[5] = from[-1];
		}
	}
}

static void cipher(const uint16_t *in, uint16_t *out, const uint16_t *key)
{
	uint16_t x1 = in[0], x2 = in[1], x3 = in[2], x4 = in[3], t1, t2;

	TALLY(BLOCKS, 1);
	for (int round = 0; round < ROUNDS; round++) {
		x1 = multiply(x1, *key++);
		x2 = (uint16_t)(x2 + *key++);
		x3 = (uint16_t)(x3 + *key++);
		x4 = multiply(x4, *key++);
		t2 = multiply(x1 ^ x3, *key++);
		t1 = multiply((uint16_t)(t2 + (x2 ^ x4)), *key++);
		t2 = (uint16_t)(t1 + t2);
		x1 ^= t1;
		x4 ^= t2;
		t2 ^= x2;
		x2 = x3 ^ t1;
		x3 = t2;
	}
	*out++ = multiply(x1, *key++);
	*out++ = (uint16_t)(x3 + *key++);
	*out++ = (uint16_t)(x2 + *key++);
	*out = multiply(x4, *key);
}

static void there_and_back(const struct work *w)
{
	for (int loop = 0; loop < LOOPS; loop++) {
		for (uint64_t i = 0; i < w->words; i += BLOCK)
			cipher(w->plain + i, w->crypt + i, w->encrypt);
		for (uint64_t i = 0; i < w->words; i += BLOCK)
			cipher(w->crypt + i, w->again + i, w->decrypt);
	}
}

static void prepare(struct work *w)
{
	uint16_t key[KEY];

	random_reset();
	for (int i = 0; i < KEY; i++)
		key[i] = (uint16_t)random_below(KEY_RANGE);
	expand_key(key, w->encrypt);
	invert_key(w->encrypt, w->decrypt);
	w->plain = memory_get(WORDS * sizeof *w->plain);
	w->crypt = memory_get(WORDS * sizeof *w->crypt);
	w->again = memory_get(WORDS * sizeof *w->again);
	for (int i = 0; i < WORDS; i++) {
		w->plain[i] = (uint16_t)random_below(TEXT_RANGE);
		w->plain[i] |= (uint16_t)(random_below(TEXT_RANGE) << 8);
	}
}

static void check_hash(const char *what, const uint16_t *text, uint64_t known)
{
	unsigned char bytes[BYTES];
	uint64_t hash;

	for (int i = 0; i < WORDS; i++) {
		bytes[2 * i] = (unsigned char)(text[i] & 0xff);
		bytes[2 * i + 1] = (unsigned char)(text[i] >> 8);
	}
	hash = memory_hash(bytes, BYTES);
	if (hash != known)
		bench_wrong("the %s has the hash %016" PRIx64 ", not %016" PRIx64, what, hash,
			known);
}

__attribute__((noinline)) static void check_standard(void)
{
	static const uint16_t key[KEY] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	static const uint16_t plain[BLOCK] = { 0, 1, 2, 3 };
	static const uint16_t known[BLOCK] = { 0x11fb, 0xed2b, 0x0198, 0x6de5 };
	uint16_t z[SUBKEYS], crypt[BLOCK];

	expand_key(key, z);
	cipher(plain, crypt, z);
	for (int i = 0; i < BLOCK; i++)
		if (crypt[i] != known[i])
			bench_wrong("word %d of the standard block is %04x, not %04x", i,
				(unsigned)crypt[i], (unsigned)known[i]);
}

__attribute__((noinline)) static void check(const struct work *w)
{
	check_standard();
	check_hash("plain text", w->plain, TEXT_HASH);
	if (memcmp(w->crypt, w->plain, BYTES) == 0)
		bench_wrong("the text was not encrypted");
	for (int i = 0; i < WORDS; i++)
		if (w->again[i] != w->plain[i])
			bench_wrong("word %d is decrypted to %04x, not %04x", i,
				(unsigned)w->again[i], (unsigned)w->plain[i]);
	check_hash("encrypted text", w->crypt, CRYPT_HASH);
}

int main(int argc, char **argv)
{
	/*
	 * The length is volatile, because a compiler that knew it would produce a different loop.
	 */
	static const volatile uint64_t length = WORDS;
	struct work w = { .words = length };
	struct run r;

	run_begin(&r, argc, argv);
	prepare(&w);
	tally_reset();
	there_and_back(&w);
	tally_report(tallies);
	check(&w);
	while (run_next(&r)) {
		run_start(&r);
		there_and_back(&w);
		run_stop(&r, LOOPS);
	}
	check(&w);
	run_end(&r);
}
