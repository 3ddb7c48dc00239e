// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rand-read-32 - one operation reads 4 KB at a random place of DIRECTORY/blocks, bypassing the page
 * cache. Each of 32 threads waits for one read, so that 32 are on their way at any time.
 */
#include "storage/shared/chunks.h"
#include "mix.h"
#include "modern/shared/team.h"

#include <inttypes.h>
#include <unistd.h>

enum { READERS = 32 };
static const uint64_t SEED = 13;
static _Alignas(BLOCK) uint64_t block[READERS][BLOCK_WORDS];
static struct blocks blocks;
static int fd;

static void read_block(uint64_t number, uint64_t to[BLOCK_WORDS])
{
	if (pread(fd, to, BLOCK, (off_t)(number * BLOCK)) != BLOCK)
		bench_fail("cannot read block %" PRIu64, number);
	if (to[0] != number)
		bench_wrong("the read of block %" PRIu64 " gave block %" PRIu64, number, to[0]);
}

/* Every block has its number; the last one is compared whole. */
static void work(struct member *m)
{
	uint64_t state = SEED + blocks.before * READERS + (uint64_t)m->number, number = 0;

	read_block(number, block[m->number]);
	team_ready();
	while (team_goes_on()) {
		number = mix_next(&state) % blocks.count;
		read_block(number, block[m->number]);
		team_count(m);
	}
	blocks_prove(block[m->number], number);
}

int main(int argc, char **argv)
{
	struct bench b;
	const char *how;
	struct member *team;

	bench_begin(&b, argc, argv, "SECONDS DIRECTORY");
	if (argc != 3)
		bench_usage();
	blocks = chunks_begin(&b, argv[2]);
	b.unit = "lps";
	b.timebase = 1;
	fd = blocks_open_reads(&blocks, &how);
	team = team_make(READERS);
	team_measure(&b, team, READERS, work, false);
	chunks_say(blocks.count / CHUNK_BLOCKS, how);
	bench_end(&b);
}
