// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * movement.h - the data on the lines: pointer movements, and after each thousand an answer, which
 * is one line:
 *
 *	{"start_date": 1718000000123, "end_date": 1718000000240, "iterations": 1000}
 *
 * The dates are milliseconds since 1970.
 */
#ifndef INPUTS_MOVEMENT_H
#define INPUTS_MOVEMENT_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
