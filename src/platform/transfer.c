// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * transfer - one pass, whatever SECONDS says: FILES files of BYTES bytes are written to one
 * directory, MEDIUM, read into memory, copied to another one, DEPOT, and read back from there. The
 * result is the rate of copying in MB/s; the other rates are figures. Written files are synced one
 * by one. Before files are read they are dropped from the page cache; cold-read, cold-copy and
 * cold-back are the shares that were really gone, since file systems in memory drop nothing.
 *
 * Opening, moving bytes, syncing and closing are timed. Handling directories, comparing with what
 * was written, and removing are not.
 */
#include "bench.h"
#include "platform/transfer/file.h"
#include "watch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- progress for the user, if there is somebody to read it */

static const int64_t SECOND = 1000000000;

struct progress {
	const char *doing;
	uint64_t bytes;		/* in one file */
	int files;
};

/*
 * True for Run, and for a terminal or a pipe. A log has no reader that waits; and if its disk is
 * full, writing a line would end the program before its files are removed.
 */
static bool somebody_waits(void)
{
	struct stat facts;

	if (getenv("TS_RESULT") || isatty(STDERR_FILENO))
		return true;
	return fstat(STDERR_FILENO, &facts) == 0 && S_ISFIFO(facts.st_mode);
}

/* Called between two pieces, when `done` bytes of this file are done. */
static void progress_look(const struct progress *p, int number, uint64_t done)
{
	static int64_t last;
	const int64_t now = bench_clock();
	double share;

	if (now - last < SECOND || !somebody_waits())
		return;
	last = now;
	share = ((double)number + (double)done / (double)p->bytes) / p->files;
	channel_say("NOW|%s %d of %d, %.0f %%", p->doing, number + 1, p->files, 100 * share);
}

/* --- the steps, each of which goes over all files and returns the seconds it took */

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

struct job {
	struct contents contents;
	uint64_t bytes;		/* in one file */
	int files;
	unsigned char *buffer;
};

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

static void step_prepare(struct job *j)
{
	void *memory;

	if (posix_memalign(&memory, PAGE, PIECE) != 0)
		bench_fail("no memory for the input");
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

static double step_write(const struct job *j)
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

/* `doing` names the step in messages: "reading" or "reading back". */
static double step_read(const struct job *j, enum where w, const char *doing)
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

static double step_copy(const struct job *j)
{
	struct progress p = { .doing = "copying", .bytes = j->bytes, .files = j->files };
	struct watch watch = { 0 };

	for (int i = 0; i < j->files; i++)
		copy_file(j, &p, &watch, i);
	return seconds_of(&watch);
}

/*
 * Drops the files from the page cache. Returns the share that is gone; negative if that is
 * unknown.
 */
static double step_forget(const struct job *j, enum where w)
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

/* --- the program */

enum { ARGUMENTS = 6, MOST_FILES = 10000 };
static const uint64_t MOST_BYTES = 1000000000000;
static const double MB = 1e6;

enum { READ, COPY, BACK, COLD };

struct outcome {
	double write, read, copy, back;	/* seconds */
	double cold[COLD];
};

/* BYTES may exceed a long of 32 bits. */
static uint64_t bytes_from(const char *text)
{
	char *end;
	uintmax_t value;

	errno = 0;
	value = strtoumax(text, &end, 10);
	if (errno == 0 && *text >= '0' && *text <= '9' && *end == '\0' && value >= 1 &&
			value <= MOST_BYTES)
		return (uint64_t)value;
	fprintf(stderr, "transfer: BYTES is '%s', allowed are 1 to %" PRIu64 "\n", text,
		MOST_BYTES);
	bench_usage();
}

static struct outcome all_steps(const struct job *j)
{
	struct outcome o;

	o.write = step_write(j);
	o.cold[READ] = step_forget(j, MEDIUM);
	o.read = step_read(j, MEDIUM, "reading");
	o.cold[COPY] = step_forget(j, MEDIUM);
	o.copy = step_copy(j);
	o.cold[BACK] = step_forget(j, DEPOT);
	o.back = step_read(j, DEPOT, "reading back");
	return o;
}

static void say_outcome(const struct outcome *o, double bytes)
{
	static const char *const names[COLD] = { "cold-read", "cold-copy", "cold-back" };

	channel_say("FIGURE|write|%.9g|MBps", bytes / MB / o->write);
	channel_say("FIGURE|read|%.9g|MBps", bytes / MB / o->read);
	channel_say("FIGURE|back|%.9g|MBps", bytes / MB / o->back);
	for (int i = 0; i < COLD; i++)
		if (o->cold[i] >= 0)
			channel_say("FIGURE|%s|%.6g", names[i], o->cold[i]);
}

int main(int argc, char **argv)
{
	struct job j = { 0 };
	struct outcome o;
	struct bench b;
	double bytes;

	bench_begin(&b, argc, argv, "SECONDS BYTES FILES MEDIUM DEPOT");
	if (argc != ARGUMENTS)
		bench_usage();
	b.unit = "MBps";
	j.bytes = bytes_from(argv[2]);
	j.files = (int)bench_number(argv[3], "FILES", 1, MOST_FILES);
	places_open(argv[4], argv[5]);
	places_need_room(j.bytes, j.files);
	contents_make(&j.contents, j.bytes, j.files);
	step_prepare(&j);
	bytes = (double)j.bytes * j.files;

	bench_start(&b);
	/* A network file system may block a call for long. */
	bench_watch();
	places_make();
	o = all_steps(&j);
	bench_stop(&b);
	places_remove();
	bench_tick(&b, (uint64_t)bytes);
	say_outcome(&o, bytes);
	bench_end_figure(&b, bytes / MB / o.copy);
}
