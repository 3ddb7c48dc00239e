// SPDX-License-Identifier: GPL-2.0-or-later
/* step.c - see step.h. */
#include "platform/transfer/step.h"
#include "bench.h"
#include "platform/transfer/checksum.h"
#include "platform/transfer/cold.h"
#include "platform/transfer/progress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * CALL is the size of one read or write, the same as cp uses. Each call is a request to a network
 * file system. Smaller calls would measure round trips; larger ones are not faster, but delay
 * signals.
 *
 * PIECE is the amount between two checks, for which the clock stops: the checksum of 16 MB takes
 * about 2 ms. Meanwhile the system may read ahead, usually 128 KB, which is 0.8 % of the next
 * piece. Smaller pieces would increase that share, larger ones the memory needed.
 */
enum { CALL = 256 << 10, PIECE = 16 << 20, PAGE = 65536 };

struct watch {
	int64_t since, spent;
};

static void go(struct watch *w)
{
	w->since = bench_clock();
}

static void halt(struct watch *w)
{
	w->spent += bench_clock() - w->since;
}

static double seconds_of(const struct watch *w)
{
	return (double)w->spent / 1e9;
}

void step_prepare(struct job *j)
{
	void *memory;

	if (posix_memalign(&memory, PAGE, PIECE) != 0)
		bench_fail("no memory for what is read");
	/* The memory is touched now, so that the first file does not wait for it. */
	memset(memory, 1, PIECE);
	j->buffer = memory;
}

/* An almost full disk accepts a part, and reports the cause when it gets the rest. */
static void put(enum where w, int fd, const unsigned char *from, size_t size)
{
	while (size > 0) {
		const ssize_t n = write(fd, from, size);

		if (n == -1 && errno == EINTR)
			continue;
		if (n == 0)
			errno = 0;
		if (n <= 0)
			bench_fail("cannot write to a file in '%.300s'", place_path(w));
		from += n;
		size -= (size_t)n;
	}
}

/* Fills the buffer unless the file ends before. */
static size_t get(enum where w, int fd, unsigned char *to, size_t size)
{
	size_t done = 0;

	while (done < size) {
		const size_t most = size - done < CALL ? size - done : CALL;
		const ssize_t n = read(fd, to + done, most);

		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1)
			bench_fail("cannot read from a file in '%.300s'", place_path(w));
		if (n == 0)
			break;
		done += (size_t)n;
	}
	return done;
}

static size_t piece_of(uint64_t left)
{
	return left < PIECE ? (size_t)left : PIECE;
}

static void write_piece(const struct job *j, int fd, int number, uint64_t done, size_t size)
{
	const unsigned char *from;

	while (size > 0) {
		const size_t most = size < CALL ? size : CALL;
		const size_t n = contents_piece(&j->contents, number, done, most, &from);

		put(MEDIUM, fd, from, n);
		done += n;
		size -= n;
	}
}

static void write_file(const struct job *j, struct progress *p, struct watch *watch, int number)
{
	int fd;

	go(watch);
	fd = place_create(MEDIUM, number);
	for (uint64_t done = 0; done < j->bytes;) {
		const size_t size = piece_of(j->bytes - done);

		write_piece(j, fd, number, done, size);
		done += size;
		halt(watch);
		progress_look(p, number, done);
		go(watch);
	}
	place_sync(MEDIUM);
	place_close(MEDIUM);
	halt(watch);
}

double step_write(const struct job *j)
{
	struct progress p = { .doing = "writing", .bytes = j->bytes, .files = j->files };
	struct watch watch = { 0 };

	for (int i = 0; i < j->files; i++)
		write_file(j, &p, &watch, i);
	return seconds_of(&watch);
}

static void check_piece(const struct job *j, enum where w, const char *doing, int number,
	size_t size, size_t got)
{
	if (got != size)
		bench_wrong("%s: file %d of %d in '%.300s' is too short", doing, number + 1,
			j->files, place_path(w));
}

static void check_sum(const struct job *j, enum where w, const char *doing, int number,
	uint64_t sum)
{
	if (sum != j->contents.sums[number])
		bench_wrong("%s: file %d of %d in '%.300s' holds other bytes than were written",
			doing, number + 1, j->files, place_path(w));
}

static void read_file(const struct job *j, struct progress *p, struct watch *watch, enum where w,
	int number)
{
	struct checksum sum;
	int fd;

	checksum_begin(&sum);
	go(watch);
	fd = place_open(w, number);
	for (uint64_t done = 0; done < j->bytes;) {
		const size_t size = piece_of(j->bytes - done);
		const size_t got = get(w, fd, j->buffer, size);

		halt(watch);
		check_piece(j, w, p->doing, number, size, got);
		checksum_add(&sum, j->buffer, size);
		done += size;
		progress_look(p, number, done);
		go(watch);
	}
	place_close(w);
	halt(watch);
	check_sum(j, w, p->doing, number, checksum_end(&sum));
}

double step_read(const struct job *j, enum where w, const char *doing)
{
	struct progress p = { .doing = doing, .bytes = j->bytes, .files = j->files };
	struct watch watch = { 0 };

	for (int i = 0; i < j->files; i++)
		read_file(j, &p, &watch, w, i);
	return seconds_of(&watch);
}

static void copy_piece(const struct job *j, int from, int to, int number, size_t size)
{
	while (size > 0) {
		const size_t most = size < CALL ? size : CALL;

		check_piece(j, MEDIUM, "copying", number, most, get(MEDIUM, from, j->buffer, most));
		put(DEPOT, to, j->buffer, most);
		size -= most;
	}
}

/*
 * The file is copied by read and write: a call that copies in the kernel may share blocks between
 * the files or leave the work to a server, and then nothing passes through the path that is
 * measured.
 */
static void copy_file(const struct job *j, struct progress *p, struct watch *watch, int number)
{
	int from, to;

	go(watch);
	from = place_open(MEDIUM, number);
	to = place_create(DEPOT, number);
	for (uint64_t done = 0; done < j->bytes;) {
		const size_t size = piece_of(j->bytes - done);

		copy_piece(j, from, to, number, size);
		done += size;
		halt(watch);
		progress_look(p, number, done);
		go(watch);
	}
	place_sync(DEPOT);
	place_close(DEPOT);
	place_close(MEDIUM);
	halt(watch);
}

double step_copy(const struct job *j)
{
	struct progress p = { .doing = "copying", .bytes = j->bytes, .files = j->files };
	struct watch watch = { 0 };

	for (int i = 0; i < j->files; i++)
		copy_file(j, &p, &watch, i);
	return seconds_of(&watch);
}

double step_forget(const struct job *j, enum where w)
{
	double cold = 0;
	bool known = true;

	for (int i = 0; i < j->files; i++) {
		const int fd = place_open(w, i);
		int64_t found;

		if (place_length(w) != j->bytes)
			bench_wrong("file %d of %d in '%.300s' is not as long as was written",
				i + 1, j->files, place_path(w));
		cold_forget(fd);
		found = cold_bytes(fd, j->bytes);
		known = known && found >= 0;
		cold += (double)found;
		place_close(w);
	}
	return known ? cold / ((double)j->bytes * j->files) : -1;
}
