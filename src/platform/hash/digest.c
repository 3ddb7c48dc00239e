// SPDX-License-Identifier: GPL-2.0-or-later
/* digest.c - see digest.h. Test vectors from RFC 1321 (appendix A.5) and FIPS 180-2 (appendixes B and C). */
#include "platform/hash/digest.h"
#include "bench.h"
#include "child.h"

#include <errno.h>
#if defined(WITH_LIBCRYPTO)
#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <unistd.h>
#endif
#include <string.h>
#include <sys/wait.h>

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

/* --- a command */

/* TEXT: output of a command beyond this size is dropped. */
enum { TEXT = 512 };

/* The output of a command, how it ended, and the errno if it cannot be run. */
struct answer {
	char text[TEXT];
	int status, cause;
};

static void run(struct answer *a, const char *const words[], bool errors_too)
{
	struct child c = { .merged = errors_too };

	c.stream[CHILD_OUT] = (struct child_stream){ .text = a->text, .room = sizeof a->text };
	a->cause = child_start(&c, words);
	if (a->cause != 0)
		return;
	while (child_listen(&c, CHILD_LONG))
		continue;
	a->status = child_wait(&c);
}

static void check(const char *command, const struct answer *got)
{
	if (got->cause == 0 && got->status == 0)
		return;
	if (got->cause == ENOENT)
		bench_skip("there is no command '%s' (Debian package coreutils)", command);
	errno = got->cause;
	if (got->cause != 0)
		bench_fail("cannot run '%s'", command);
	if (WIFSIGNALED(got->status))
		bench_wrong("'%s' was killed by signal %d", command, WTERMSIG(got->status));
	bench_wrong("'%s' exited with status %d", command, WEXITSTATUS(got->status));
}

/*
 * A line is `DIGEST NAME`. A leading backslash says that some characters of the name are escaped.
 */
void command_digest(const struct algorithm *a, const struct input *in, char digest[DIGEST_TEXT])
{
	const char *const words[] = { a->command, in->path, NULL };
	const size_t digits = algorithm_digits(a);
	struct answer got;
	const char *from = got.text;

	run(&got, words, false);
	check(a->command, &got);
	from += *from == '\\';
	if (strspn(from, "0123456789abcdef") != digits || from[digits] != ' ')
		bench_wrong("'%s' printed no digest", a->command);
	memcpy(digest, from, digits);
	digest[digits] = '\0';
}

/* BusyBox rejects --version, but its error message begins with its name and version. */
const char *command_version(const char *command)
{
	static struct answer got;
	const char *const words[] = { command, "--version", NULL };
	char *line = got.text;

	run(&got, words, true);
	if (got.cause != 0)
		return "none";
	if (got.status != 0)
		line = strstr(got.text, "BusyBox");
	if (!line || line[0] == '\0' || line[0] == '\n')
		return "unknown";
	line[strcspn(line, "\r\n")] = '\0';
	return line;
}

/* --- libcrypto */

#if defined(WITH_LIBCRYPTO)
enum { BLOCK = 262144, PIECE = 16384, PAGE = 4096 };

static _Alignas(4096) unsigned char block[BLOCK];
static EVP_MD_CTX *context;
static const EVP_MD *kind;

const char *library_version(void)
{
	return OpenSSL_version(OPENSSL_VERSION);
}

/* A system that allows approved algorithms only has no MD5. */
const char *library_prepare(const struct algorithm *a)
{
	static char why[160];
	const char *reason;

	kind = EVP_get_digestbyname(a->name);
	context = EVP_MD_CTX_new();
	if (!context)
		bench_fail("no memory for libcrypto");
	if (kind && EVP_DigestInit_ex(context, kind, NULL) == 1)
		return NULL;
	reason = ERR_reason_error_string(ERR_peek_last_error());
	snprintf(why, sizeof why, "libcrypto refuses to do %s: %s", a->name,
		reason ? reason : "it does not say why");
	return why;
}

static void begin(void)
{
	if (EVP_DigestInit_ex(context, kind, NULL) != 1)
		bench_fail("libcrypto cannot begin a digest");
}

static void take(const void *bytes, size_t size)
{
	if (EVP_DigestUpdate(context, bytes, size) != 1)
		bench_fail("libcrypto cannot continue a digest");
}

static void end(char digest[DIGEST_TEXT])
{
	unsigned char bytes[EVP_MAX_MD_SIZE];
	unsigned size;

	if (EVP_DigestFinal_ex(context, bytes, &size) != 1)
		bench_fail("libcrypto cannot end a digest");
	for (unsigned i = 0; i < size; i++)
		snprintf(digest + 2 * i, 3, "%02x", bytes[i]);
}

void library_digest_of_file(const struct algorithm *a, const struct input *in,
	char digest[DIGEST_TEXT])
{
	const int fd = open(in->path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	(void)a;
	if (fd == -1)
		bench_fail("cannot open '%.300s'", in->path);
	begin();
	while ((n = read(fd, block, sizeof block)) > 0 || (n == -1 && errno == EINTR))
		take(block, n > 0 ? (size_t)n : 0);
	if (n == -1)
		bench_fail("cannot read '%.300s'", in->path);
	close(fd);
	end(digest);
}

static void touch(const volatile unsigned char *bytes, size_t size)
{
	for (size_t at = 0; at < size; at += PAGE)
		(void)bytes[at];
}

static size_t piece_of(size_t left)
{
	return left < PIECE ? left : PIECE;
}

/*
 * The pages of a file are scattered in memory, and a processor prefetches only within a page.
 * Reaching a page without preparation slows SHA-256 down by 3 to 10 %. So one byte of each page is
 * touched a piece ahead; a file is then within 2 % of a buffer of 16 KB that stays in the cache.
 */
void library_digest_of_memory(const struct algorithm *a, const struct input *in,
	char digest[DIGEST_TEXT])
{
	const unsigned char *from = in->bytes;

	(void)a;
	begin();
	for (size_t left = in->size; left > 0;) {
		const size_t n = piece_of(left);

		left -= n;
		touch(from + n, piece_of(left));
		take(from, n);
		from += n;
	}
	end(digest);
}
#else
const char *library_version(void)
{
	return "none";
}

const char *library_prepare(const struct algorithm *a)
{
	(void)a;
	return "built without libcrypto (package libssl-dev)";
}

void library_digest_of_file(const struct algorithm *a, const struct input *in,
	char digest[DIGEST_TEXT])
{
	(void)in;
	(void)digest;
	bench_fail("no libcrypto for %s of a file", a->name);
}

void library_digest_of_memory(const struct algorithm *a, const struct input *in,
	char digest[DIGEST_TEXT])
{
	(void)in;
	(void)digest;
	bench_fail("no libcrypto for %s in memory", a->name);
}
#endif
