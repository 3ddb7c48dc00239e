// SPDX-License-Identifier: GPL-2.0-or-later
/* walk.c - walk.h; a piece is some thousand loads, so that a pause spoils one piece. */
#include "truth/truth-cache/walk.h"

#include "bench.h"
#include "mix.h"
#include "spread.h"

enum { PIECE = 1024, STREAM = 1 << 18, WORD = sizeof(uint64_t), IN_LINE = WALK_LINE / WORD };

/* What stands in a line: no two lines have the same. */
static uint64_t content(uint64_t line)
{
	return (line + 1) * MIX_STEP;
}

void walk_fill(void *buffer, size_t bytes)
{
	uint64_t *const words = buffer;

	for (uint64_t line = 0; line < bytes / WALK_LINE; line++)
		words[line * IN_LINE] = content(line);
}

/* A generator that is quick enough to be ahead of the loads; its highest bits choose the line. */
static uint64_t draw(uint64_t *state, uint64_t lines)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint64_t)(((*state >> 32) * lines) >> 32);
}

void walk_steps(const void *buffer, uint64_t lines, uint64_t steps)
{
	static uint64_t state = 1;
	const volatile uint64_t *const words = buffer;
	uint64_t wrong = 0, seen = 0;

	/* `wrong` stays 0 if all lines have their numbers. */
	for (uint64_t i = 0; i < steps; i++) {
		const uint64_t line = draw(&state, lines);
		wrong = words[line * IN_LINE + wrong] - content(line);
		seen |= wrong;
		if (wrong >= IN_LINE)
			break;
	}
	if (seen != 0)
		bench_wrong("a line has another number than was written");
}

double walk_time(const void *buffer, size_t bytes, int64_t ns)
{
	static struct spread pieces;
	const uint64_t lines = bytes / WALK_LINE;
	const int64_t begin = bench_clock();

	pieces = (struct spread){ 0 };
	/* A quarter of the time goes before: the cache has lines of the smaller part. */
	while (bench_clock() < begin + ns / 4)
		walk_steps(buffer, lines, PIECE);
	for (int64_t before = bench_clock(), now = before; now < begin + ns || pieces.count < 3; before = now) {
		walk_steps(buffer, lines, PIECE);
		now = bench_clock();
		spread_add(&pieces, (uint64_t)(now - before));
	}
	return spread_at(&pieces, 0.5) / PIECE;
}

static uint64_t sum(const uint64_t *words, size_t count)
{
	uint64_t a = 0, b = 0, c = 0, d = 0;

	for (size_t i = 0; i < count; i += 4) {
		a += words[i];
		b += words[i + 1];
		c += words[i + 2];
		d += words[i + 3];
	}
	return a + b + c + d;
}

/* The first reading of all bytes does not count, nor do lines other than those that have numbers. */
double walk_bandwidth(const void *buffer, size_t bytes, int64_t ns)
{
	static struct spread pieces;
	const size_t piece = bytes < STREAM ? bytes : STREAM;
	const uint64_t *const words = buffer;
	const uint64_t numbers = bytes / WALK_LINE;
	uint64_t all = 0;
	int64_t end;

	pieces = (struct spread){ 0 };
	for (size_t at = 0; at + piece <= bytes; at += piece)
		all += sum(words + at / WORD, piece / WORD);
	if (bytes % piece == 0 && all != MIX_STEP * (numbers * (numbers + 1) / 2))
		bench_wrong("the numbers of all lines have another sum");
	end = bench_clock() + ns;
	for (size_t at = 0; bench_clock() < end || pieces.count < 3; at = at + 2 * piece <= bytes ? at + piece : 0) {
		const int64_t begin = bench_clock();
		all += sum(words + at / WORD, piece / WORD);
		spread_add(&pieces, (uint64_t)(bench_clock() - begin));
	}
	return all == 1 ? 0 : (double)piece / spread_at(&pieces, 0.5);
}
