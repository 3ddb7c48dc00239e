// SPDX-License-Identifier: GPL-2.0-or-later
/* file.c - see file.h. */
#if defined(__linux__)
#define _DEFAULT_SOURCE
#endif
#include "bench.h"
#include "mix.h"
#include "platform/shared/bytes.h"
#include "platform/transfer/file.h"
#include "tidy.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { DIGITS = 12 };
static const double KB = 1e3;

/* A signal may arrive at any time, and its handler reads this. */
struct place {
	const char *path;			/* as the user gave it */
	char *own;				/* path of the private directory */
	const char *name;			/* last component of that path */
	int outside;				/* descriptor of the given directory */
	volatile sig_atomic_t inside;		/* of the private directory */
	volatile sig_atomic_t file;		/* of the open file */
	volatile sig_atomic_t files;		/* number of files that may exist */
};

static struct place places[PLACES] = {
	{ .outside = -1, .inside = -1, .file = -1 }, { .outside = -1, .inside = -1, .file = -1 },
};

/* This replaces snprintf, which must not be called in a signal handler. */
static const char *file_name(char text[DIGITS], int number)
{
	char *at = text + DIGITS;

	*--at = '\0';
	do {
		*--at = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	return at;
}

/* The file is closed first, because network file systems keep an open file that is removed. */
static int empty_place(struct place *p)
{
	int status = 0;
	char text[DIGITS];

	if (p->file != -1)
		close(p->file);
	p->file = -1;
	for (; p->files > 0; p->files--)
		if (unlinkat(p->inside, file_name(text, (int)p->files - 1), 0) == -1)
			status = -1;
	return status;
}

static int remove_own(struct place *p)
{
	if (p->inside == -1)
		return 0;
	close(p->inside);
	p->inside = -1;
	return unlinkat(p->outside, p->name, AT_REMOVEDIR);
}

/*
 * A file that cannot be removed is not reported, so that the message is about the first failure.
 */
static void remove_all(void)
{
	for (enum where w = MEDIUM; w < PLACES; w++)
		empty_place(&places[w]);
	for (enum where w = MEDIUM; w < PLACES; w++)
		remove_own(&places[w]);
}

const char *place_path(enum where w)
{
	return places[w].path;
}

void places_remove(void)
{
	for (enum where w = MEDIUM; w < PLACES; w++)
		if (empty_place(&places[w]) == -1)
			bench_fail("cannot remove a file in '%.300s'", place_path(w));
	for (enum where w = MEDIUM; w < PLACES; w++)
		if (remove_own(&places[w]) == -1)
			bench_fail("cannot remove a directory in '%.300s'", place_path(w));
}

static void open_place(struct place *p, const char *path)
{
	p->path = path;
	p->outside = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (p->outside == -1)
		bench_fail("cannot open the directory '%.300s'", path);
	if (access(path, W_OK | X_OK) == -1)
		bench_fail("cannot make files in '%.300s'", path);
}

static struct stat facts_of(const struct place *p)
{
	struct stat facts;

	if (fstat(p->outside, &facts) == -1)
		bench_fail("cannot ask about '%.300s'", p->path);
	return facts;
}

void places_open(const char *medium, const char *depot)
{
	struct stat one, other;

	open_place(&places[MEDIUM], medium);
	open_place(&places[DEPOT], depot);
	one = facts_of(&places[MEDIUM]);
	other = facts_of(&places[DEPOT]);
	errno = 0;
	if (one.st_dev == other.st_dev && one.st_ino == other.st_ino)
		bench_fail("'%.200s' and '%.200s' are one directory: "
			"there is nothing to transfer between", medium, depot);
}

/* A file system that does not know its size reports 0. */
static void need_room(const struct place *p, uint64_t bytes, uint64_t files)
{
	struct statvfs room;
	double block, needed, free;

	if (fstatvfs(p->outside, &room) == -1)
		bench_fail("cannot ask about the space in '%.300s'", p->path);
	if (room.f_blocks == 0 || room.f_frsize == 0)
		return;
	block = (double)room.f_frsize;
	needed = (double)((bytes + room.f_frsize - 1) / room.f_frsize * files) * block;
	free = (double)room.f_bavail * block;
	if (needed > free)
		bench_skip("no space in '%.300s': %.0f KB are needed, %.0f KB are free",
			p->path, needed / KB, free / KB);
}

void places_need_room(uint64_t bytes, int files)
{
	const bool one_system =
		facts_of(&places[MEDIUM]).st_dev == facts_of(&places[DEPOT]).st_dev;
	const uint64_t in_each = (uint64_t)files * (one_system ? 2 : 1);

	need_room(&places[MEDIUM], bytes, in_each);
	need_room(&places[DEPOT], bytes, in_each);
}

static void name_own(struct place *p)
{
	static const char own[] = "/transfer.XXXXXX";
	const size_t length = strlen(p->path);

	p->own = malloc(length + sizeof own);
	if (!p->own)
		bench_fail("no memory for a path");
	memcpy(p->own, p->path, length);
	memcpy(p->own + length, own, sizeof own);
	p->name = p->own + length + 1;
}

/*
 * The path may name another directory than the one that was opened. Then the private directory is
 * not found in the open one, and is removed by its path.
 */
static void make_own(enum where w)
{
	struct place *const p = &places[w];
	int cause;

	name_own(p);
	if (!mkdtemp(p->own))
		bench_fail("cannot make a directory in '%.300s'", place_path(w));
	p->inside = openat(p->outside, p->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (p->inside != -1)
		return;
	cause = errno;
	rmdir(p->own);
	errno = cause;
	bench_fail("cannot open a directory in '%.300s'", place_path(w));
}

/* Signals are blocked until it is recorded what must be removed. */
void places_make(void)
{
	sigset_t all, before;

	bench_tidy(remove_all);
	/* A write beyond the user's limit then fails with errno, from which a message is made. */
	signal(SIGXFSZ, SIG_IGN);
	sigfillset(&all);
	if (sigprocmask(SIG_BLOCK, &all, &before) == -1)
		bench_fail("cannot block signals");
	for (enum where w = MEDIUM; w < PLACES; w++)
		make_own(w);
	if (sigprocmask(SIG_SETMASK, &before, NULL) == -1)
		bench_fail("cannot unblock signals in '%.300s'", place_path(MEDIUM));
}

int place_create(enum where w, int number)
{
	struct place *const p = &places[w];
	char text[DIGITS];

	p->files = number + 1;
	p->file = openat(p->inside, file_name(text, number),
		O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (p->file == -1)
		bench_fail("cannot make a file in '%.300s'", place_path(w));
	return (int)p->file;
}

int place_open(enum where w, int number)
{
	struct place *const p = &places[w];
	char text[DIGITS];

	p->file = openat(p->inside, file_name(text, number), O_RDONLY | O_CLOEXEC);
	if (p->file == -1)
		bench_fail("cannot open a file in '%.300s'", place_path(w));
	return (int)p->file;
}

void place_close(enum where w)
{
	const int fd = (int)places[w].file;

	places[w].file = -1;
	if (close(fd) == -1)
		bench_fail("cannot close a file in '%.300s'", place_path(w));
}

void place_sync(enum where w)
{
	int status;

	do {
		status = fsync((int)places[w].file);
	} while (status == -1 && errno == EINTR);
	if (status == -1)
		bench_fail("cannot sync a file in '%.300s'", place_path(w));
}

uint64_t place_length(enum where w)
{
	struct stat facts;

	if (fstat((int)places[w].file, &facts) == -1)
		bench_fail("cannot ask about a file in '%.300s'", place_path(w));
	return (uint64_t)facts.st_size;
}

/* Errors are ignored, because cold_bytes finds out what stayed in the cache. */
#if defined(POSIX_FADV_DONTNEED)
void cold_forget(int fd)
{
	(void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
}
#else
void cold_forget(int fd)
{
	(void)fd;
}
#endif

#if defined(__linux__)
/* The file is mapped in pieces, because a 32-bit address space has no room for a large one. */
enum { MAPPED = 64 << 20, SMALLEST_PAGE = 4096 };

static int64_t cold_in_piece(int fd, uint64_t from, size_t size, size_t page)
{
	static unsigned char there[MAPPED / SMALLEST_PAGE];
	void *const map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, (off_t)from);
	int64_t cold = -1;

	if (map == MAP_FAILED)
		return -1;
	if (mincore(map, size, there) == 0) {
		cold = 0;
		for (size_t at = 0; at < size; at += page)
			if (!(there[at / page] & 1))
				cold += (int64_t)(size - at < page ? size - at : page);
	}
	return munmap(map, size) == 0 ? cold : -1;
}

int64_t cold_bytes(int fd, uint64_t size)
{
	const long page = sysconf(_SC_PAGESIZE);
	int64_t cold = 0;

	if (page < SMALLEST_PAGE)
		return -1;
	for (uint64_t from = 0; from < size; from += MAPPED) {
		const uint64_t n = size - from < MAPPED ? size - from : MAPPED;
		const int64_t found = cold_in_piece(fd, from, (size_t)n, (size_t)page);

		if (found < 0)
			return -1;
		cold += found;
	}
	return cold;
}
#else
int64_t cold_bytes(int fd, uint64_t size)
{
	(void)fd;
	(void)size;
	return -1;
}
#endif

/*
 * --- the checksum: each lane is combined with a word by exclusive or, rotated, and multiplied by an
 * odd number. Each of these steps is reversible, so a single wrong word always changes the lane.
 * The rotation moves the high bits, on which the multiplication has little effect.
 */
static uint64_t stirred(uint64_t lane, uint64_t word)
{
	const uint64_t x = lane ^ word;

	return (x << 29 | x >> 35) * MIX_STEP;
}

void checksum_begin(struct checksum *s)
{
	s->bytes = 0;
	for (uint64_t i = 0; i < CHECKSUM_LANES; i++)
		s->lane[i] = stirred(MIX_STEP, i);
}

static uint64_t word_at(const unsigned char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof word);
	return word;
}

/* Variables are used instead of an array because compilers keep them in registers. */
static void add_blocks(uint64_t lane[CHECKSUM_LANES], const unsigned char *at, size_t blocks)
{
	uint64_t a = lane[0], b = lane[1], c = lane[2], d = lane[3];

	for (; blocks > 0; blocks--, at += CHECKSUM_BLOCK) {
		a = stirred(a, word_at(at));
		b = stirred(b, word_at(at + 8));
		c = stirred(c, word_at(at + 16));
		d = stirred(d, word_at(at + 24));
	}
	lane[0] = a;
	lane[1] = b;
	lane[2] = c;
	lane[3] = d;
}

void checksum_add(struct checksum *s, const void *bytes, size_t size)
{
	const size_t blocks = size / CHECKSUM_BLOCK, whole = blocks * CHECKSUM_BLOCK;
	unsigned char last[CHECKSUM_BLOCK] = { 0 };

	add_blocks(s->lane, bytes, blocks);
	if (size > whole) {
		memcpy(last, (const unsigned char *)bytes + whole, size - whole);
		add_blocks(s->lane, last, 1);
	}
	s->bytes += size;
}

uint64_t checksum_end(const struct checksum *s)
{
	uint64_t sum = s->bytes;

	for (int i = 0; i < CHECKSUM_LANES; i++)
		sum = stirred(sum, s->lane[i]);
	return sum ^ sum >> 32;
}

/*
 * The stream repeats after 16 MB, but relative to the blocks of a disk only after 1.07 GB, so that
 * a file system that merges equal blocks finds none in the largest test. UNIT is a multiple of the
 * checksum's block. UNITS is a prime, so that each of up to 262,138 files starts at another byte
 * of the stream.
 */
enum { UNIT = 64, UNITS = 262139, SIZE = UNIT * UNITS, BLOCK = 4096, PAGE = 65536 };
static const uint64_t SEED = 2024;

static uint64_t stride_of(uint64_t bytes)
{
	const uint64_t stride = (bytes + BLOCK - 1) / BLOCK * BLOCK;

	return stride % SIZE == 0 ? stride + BLOCK : stride;
}

size_t contents_piece(const struct contents *c, int number, uint64_t done, uint64_t most,
	const unsigned char **from)
{
	const size_t at = (size_t)(((uint64_t)number * c->stride + done) % SIZE);
	const size_t there = SIZE - at;

	*from = c->bytes + at;
	return most < there ? (size_t)most : there;
}

static uint64_t sum_of(const struct contents *c, int number, uint64_t bytes)
{
	const unsigned char *from;
	struct checksum s;

	checksum_begin(&s);
	for (uint64_t done = 0; done < bytes;) {
		const size_t n = contents_piece(c, number, done, bytes - done, &from);

		checksum_add(&s, from, n);
		done += n;
	}
	return checksum_end(&s);
}

void contents_make(struct contents *c, uint64_t bytes, int files)
{
	void *memory;

	if (posix_memalign(&memory, PAGE, SIZE) != 0)
		bench_fail("no memory for the output");
	c->bytes = memory;
	bytes_fill(c->bytes, SIZE, SEED);
	c->stride = stride_of(bytes);
	c->sums = calloc((size_t)files, sizeof *c->sums);
	if (!c->sums)
		bench_fail("no memory for %d checksums", files);
	for (int i = 0; i < files; i++)
		c->sums[i] = sum_of(c, i, bytes);
}
