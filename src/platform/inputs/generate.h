// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * generate.h - the data on the lines: pointer movements, and after each thousand an answer, which
 * is one line:
 *
 *	{"start_date": 1718000000123, "end_date": 1718000000240, "iterations": 1000}
 *
 * The dates are milliseconds since 1970.
 */
#ifndef INPUTS_GENERATE_H
#define INPUTS_GENERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { SESSION = 1000, ANSWER = 160 };
/* A hand moves a pointer by less than this between two samples. Powers of two avoid divisions. */
enum { WIDEST = 64, HIGHEST = 32 };

/* A movement takes 24 bytes, without padding. */
struct movement {
	uint32_t magic;
	int16_t dx, dy;		/* computed from `number` */
	uint64_t number;	/* counts from 1, over all sessions */
	int64_t emitted;	/* monotonic nanoseconds */
};

struct answer {
	int64_t start, end;
	int iterations;
};

/* Returns the movement of this number, without its time. */
static inline struct movement movement_number(uint64_t number)
{
	return (struct movement){ .magic = 0x4d4f5645, .number = number,
		.dx = (int16_t)((int)(number * 7 % (2 * WIDEST)) - WIDEST),
		.dy = (int16_t)((int)(number * 11 % (2 * HIGHEST)) - HIGHEST) };
}

/* Whether `m`, received at this time, is the movement of this number. */
static inline bool movement_is(const struct movement *m, uint64_t number, int64_t received)
{
	const struct movement due = movement_number(number);

	return m->magic == due.magic && m->number == due.number && m->dx == due.dx
		&& m->dy == due.dy && m->emitted > 0 && m->emitted <= received;
}

/* Ends the process with a message about what is wrong with the movement. */
_Noreturn void movement_complain(const struct movement *m, uint64_t number);

void answer_write(const struct answer *a, char text[ANSWER]);
/* Reads an answer, whose text includes the newline; false if it is not one. */
bool answer_read(struct answer *a, const char *text);

/* --- reads and writes that continue after interruptions, partial transfers and full buffers */

/*
 * From now on, waiting reads and writes call `look` once a second. It is not called in a signal
 * handler, so it may end the process with a message.
 */
void bytes_look(void (*look)(void));

/*
 * Reads what has come, at most `size` bytes. Returns 0 if the other end has gone, even where the
 * system reports that as an error; -1 after other errors.
 */
ssize_t bytes_read(int fd, void *to, size_t size);
/* Transfer everything; false otherwise, with errno 0 if the other end has gone. */
bool bytes_take(int fd, void *to, size_t size);
bool bytes_write(int fd, const void *data, size_t size);

/*
 * Exit status of a process that ended because its line or the emitter has gone, and so has
 * reported nothing. With any other status but 0 it has reported why.
 */
enum { LINE_ENDED = 3 };

/* Data from a line, taken in pieces of any size. */
enum { BUFFER = 4096 };

struct reader {
	int fd;
	size_t from, to;	/* range of bytes that have been read and not taken */
	int64_t when;		/* time of the last read, monotonic nanoseconds */
	char bytes[BUFFER];
};

/*
 * Adds the next bytes, for which the remaining ones move to the front. Ends the process if the line
 * has ended.
 */
void reader_read(struct reader *f);
/* Takes the next `size` bytes, and reads only if too few are there. */
static inline const char *reader_take(struct reader *f, size_t size)
{
	while (f->to - f->from < size)
		reader_read(f);
	f->from += size;
	return f->bytes + f->from - size;
}
/* Takes a line with its newline, or stops when `size` bytes cannot hold one. */
void reader_take_text(struct reader *f, char *text, size_t size);
/* True if bytes have come that were not taken. */
bool reader_has_more(struct reader *f);

#endif
