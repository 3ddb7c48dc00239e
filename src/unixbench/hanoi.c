// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hanoi - one operation moves a tower of ten disks, or of as many as the second argument says,
 * from peg 0 to peg 2. Each move is recorded on the pegs, so this measures recursive calls and
 * counters in memory.
 */
#include "bench.h"

#include <inttypes.h>

enum { DISKS = 10, MAX_DISKS = 30 };

/* Records each move on the pegs, and returns the number of moves. */
static unsigned move(int disks, int *from, int *to, int *other)
{
	unsigned moves = 1;

	if (disks == 1) {
		--*from;
		++*to;
	} else {
		moves = move(disks - 1, from, other, to);
		moves += move(1, from, to, other);
		moves += move(disks - 1, other, to, from);
	}
	return moves;
}

int main(int argc, char **argv)
{
	static int peg[3];
	struct bench b;
	uint64_t moves = 0, known;
	int disks;

	bench_begin(&b, argc, argv, "SECONDS [DISKS]");
	if (argc > 3)
		bench_usage();
	disks = argc > 2 ? (int)bench_number(argv[2], "DISKS", 1, MAX_DISKS) : DISKS;
	while (bench_next(&b)) {
		peg[0] = disks;
		peg[1] = peg[2] = 0;
		moves += move(disks, &peg[0], &peg[2], &peg[1]);
	}
	known = b.count * ((UINT64_C(1) << disks) - 1);
	if (moves != known)
		bench_wrong("%" PRIu64 " moves were made, not %" PRIu64, moves, known);
	if (peg[0] != 0 || peg[1] != 0 || peg[2] != disks)
		bench_wrong("the pegs hold %d, %d and %d disks", peg[0], peg[1], peg[2]);
	bench_end(&b);
}
