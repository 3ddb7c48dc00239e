// SPDX-License-Identifier: GPL-2.0-or-later
/* movement.c - makes and checks movements and answers. */
#include "platform/inputs/movement.h"
#include "bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(struct movement) == 24, "a movement has gaps");

_Noreturn void movement_complain(const struct movement *m, uint64_t number)
{
	const struct movement due = movement_number(number);

	if (m->magic != due.magic)
		bench_wrong("rubbish came where movement %" PRIu64 " was expected", number);
	if (m->number != number)
		bench_wrong("movement %" PRIu64 " came where %" PRIu64 " was expected",
			m->number, number);
	if (m->dx != due.dx || m->dy != due.dy)
		bench_wrong("movement %" PRIu64 " came as %d,%d where %d,%d was expected", number,
			m->dx, m->dy, due.dx, due.dy);
	bench_wrong("movement %" PRIu64 " came with a time that is none: %" PRId64, number,
		m->emitted);
}

void answer_write(const struct answer *a, char text[ANSWER])
{
	snprintf(text, ANSWER, "{\"start_date\": %" PRId64 ", \"end_date\": %" PRId64
		", \"iterations\": %d}\n", a->start, a->end, a->iterations);
}

/* The answer is written again and compared, because scanning alone accepts other forms too. */
bool answer_read(struct answer *a, const char *text)
{
	char again[ANSWER];

	if (sscanf(text, "{\"start_date\": %" SCNd64 ", \"end_date\": %" SCNd64
			", \"iterations\": %d}", &a->start, &a->end, &a->iterations) != 3)
		return false;
	answer_write(a, again);
	return strcmp(text, again) == 0;
}
