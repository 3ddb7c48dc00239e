// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * movement.h - what goes over the lines: movements of a pointer, and behind each thousand the
 * answer,
 *
 *	{"start_date": 1718000000123, "end_date": 1718000000240, "iterations": 1000}
 *
 * with a line end; the dates are milliseconds since 1970.
 */
#ifndef INPUTS_MOVEMENT_H
#define INPUTS_MOVEMENT_H

#include <stdbool.h>
#include <stdint.h>

enum { SESSION = 1000, ANSWER = 160 };
/*
 * A hand moves a pointer by less than that between two looks at it. Powers of two spare divisions.
 */
enum { WIDEST = 64, HIGHEST = 32 };

/* 24 bytes without a gap. */
struct movement {
	uint32_t magic;
	int16_t dx, dy;		/* follow from the number */
	uint64_t number;	/* from 1, over all sessions */
	int64_t emitted;	/* monotonic nanoseconds */
};

struct answer {
	int64_t start, end;
	int iterations;
};

/* All but the time. */
static inline struct movement movement_number(uint64_t number)
{
	return (struct movement){ .magic = 0x4d4f5645, .number = number,
		.dx = (int16_t)((int)(number * 7 % (2 * WIDEST)) - WIDEST),
		.dy = (int16_t)((int)(number * 11 % (2 * HIGHEST)) - HIGHEST) };
}

/* Whether what came, at this time, is the one of this number. */
static inline bool movement_is(const struct movement *m, uint64_t number, int64_t received)
{
	const struct movement due = movement_number(number);

	return m->magic == due.magic && m->number == due.number && m->dx == due.dx
		&& m->dy == due.dy && m->emitted > 0 && m->emitted <= received;
}

/* Ends the process with what is wrong about it. */
_Noreturn void movement_complain(const struct movement *m, uint64_t number);

void answer_write(const struct answer *a, char text[ANSWER]);
/* From text that ends behind its line end; false: it is none. */
bool answer_read(struct answer *a, const char *text);

#endif
