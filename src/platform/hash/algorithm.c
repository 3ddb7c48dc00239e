// SPDX-License-Identifier: GPL-2.0-or-later
/* algorithm.c - test vectors from RFC 1321 (appendix A.5) and FIPS 180-2 (appendixes B and C). */
#include "platform/hash/algorithm.h"

#include <string.h>

#define EMPTY ""
#define ABC "abc"
/* Each algorithm has one message that needs more than a block, at least with its padding. */
#define DIGITS_80 "1234567890123456789012345678901234567890" \
	"1234567890123456789012345678901234567890"
#define LETTERS_56 "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
#define LETTERS_112 "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn" \
	"hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"

static const struct algorithm algorithm[] = {
	{ "md5", "md5sum", {
		{ EMPTY, "d41d8cd98f00b204e9800998ecf8427e" },
		{ ABC, "900150983cd24fb0d6963f7d28e17f72" },
		{ DIGITS_80, "57edf4a22be3c955ac49da2e2107b67a" },
	} },
	{ "sha256", "sha256sum", {
		{ EMPTY, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
		{ ABC, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
		{ LETTERS_56, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
	} },
	{ "sha512", "sha512sum", {
		{ EMPTY, "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
			"47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e" },
		{ ABC, "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
			"2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f" },
		{ LETTERS_112, "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
			"501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909" },
	} },
};

const struct algorithm *algorithm_at(size_t n)
{
	return n < sizeof algorithm / sizeof *algorithm ? &algorithm[n] : NULL;
}

const struct algorithm *algorithm_named(const char *name)
{
	const struct algorithm *a;

	for (size_t n = 0; (a = algorithm_at(n)); n++)
		if (strcmp(a->name, name) == 0)
			return a;
	return NULL;
}

size_t algorithm_digits(const struct algorithm *a)
{
	return strlen(a->vector[0].digest);
}
