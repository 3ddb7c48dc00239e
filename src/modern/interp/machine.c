// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * machine.c - 14 opcodes, a switch that dispatches them, and the program. A jump that is taken
 * goes to the number at the end of its instruction.
 */
#include "modern/interp/machine.h"

enum opcode {
	SET, MOVE, ADD, MULTIPLY, AND, SHIFT, LOAD, STORE,
	JUMP, IF_ZERO, IF_EQUAL, IF_LESS, UNLESS_MORE, HALT
};

enum reg { X, N, LENGTH, BEST, NUMBER, BELOW, SIZE, ONE, PLACE, T, REGISTERS };

/* 8 bytes. `number` is a constant or the place to jump to. */
struct instruction {
	uint8_t code, to, left, right;
	int32_t number;
};

static const struct instruction program[] = {
	/* 0 */ { SET, BELOW, 0, 0, LIMIT },
	/* 1 */ { SET, SIZE, 0, 0, MEMORY },
	/* 2 */ { SET, ONE, 0, 0, 1 },
	/* 3 */ { SET, BEST, 0, 0, 0 },
	/* 4 */ { SET, PLACE, 0, 0, 0 },
	/* the memory is emptied */
	/* 5 */ { STORE, 0, PLACE, BEST, 0 },
	/* 6 */ { ADD, PLACE, PLACE, 0, 1 },
	/* 7 */ { IF_LESS, 0, PLACE, SIZE, 5 },
	/* 8 */ { SET, N, 0, 0, 1 },
	/* the next number */
	/* 9 */ { MOVE, X, N, 0, 0 },
	/* 10 */ { SET, LENGTH, 0, 0, 0 },
	/* its sequence */
	/* 11 */ { IF_EQUAL, 0, X, ONE, 20 },
	/* 12 */ { AND, T, X, 0, 1 },
	/* 13 */ { IF_ZERO, 0, T, 0, 17 },
	/* 14 */ { MULTIPLY, X, X, 0, 3 },
	/* 15 */ { ADD, X, X, 0, 1 },
	/* 16 */ { JUMP, 0, 0, 0, 18 },
	/* 17 */ { SHIFT, X, X, 0, 1 },
	/* 18 */ { ADD, LENGTH, LENGTH, 0, 1 },
	/* 19 */ { JUMP, 0, 0, 0, 11 },
	/* its length is counted, and compared with the best */
	/* 20 */ { LOAD, T, LENGTH, 0, 0 },
	/* 21 */ { ADD, T, T, 0, 1 },
	/* 22 */ { STORE, 0, LENGTH, T, 0 },
	/* 23 */ { UNLESS_MORE, 0, LENGTH, BEST, 26 },
	/* 24 */ { MOVE, BEST, LENGTH, 0, 0 },
	/* 25 */ { MOVE, NUMBER, N, 0, 0 },
	/* 26 */ { ADD, N, N, 0, 1 },
	/* 27 */ { IF_LESS, 0, N, BELOW, 9 },
	/* 28 */ { HALT, 0, 0, 0, 0 },
};

/* The compiler must not know which program is run, or it might compile the program itself. */
static const struct instruction *volatile code = program;

static uint64_t finish(struct machine *m, const uint64_t *r, uint64_t steps)
{
	m->number = r[NUMBER];
	m->length = r[BEST];
	m->steps = steps;
	return steps;
}

uint64_t machine_run(struct machine *m)
{
	uint64_t r[REGISTERS] = { 0 }, steps = 0;
	const struct instruction *const start = code, *next = start;

	for (;;) {
		const struct instruction *const i = next++;
		const uint64_t left = r[i->left], right = r[i->right];

		steps++;
		switch (i->code) {
		case SET: r[i->to] = (uint64_t)i->number; break;
		case MOVE: r[i->to] = left; break;
		case ADD: r[i->to] = left + (uint64_t)i->number; break;
		case MULTIPLY: r[i->to] = left * (uint64_t)i->number; break;
		case AND: r[i->to] = left & (uint64_t)i->number; break;
		case SHIFT: r[i->to] = left >> i->number; break;
		case LOAD: r[i->to] = m->memory[left % MEMORY]; break;
		case STORE: m->memory[left % MEMORY] = right; break;
		case JUMP: next = start + i->number; break;
		case IF_ZERO: next = left == 0 ? start + i->number : next; break;
		case IF_EQUAL: next = left == right ? start + i->number : next; break;
		case IF_LESS: next = left < right ? start + i->number : next; break;
		case UNLESS_MORE: next = left <= right ? start + i->number : next; break;
		default: return finish(m, r, steps);
		}
	}
}
