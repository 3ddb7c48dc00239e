// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * json - one operation reads a JSON text of 256 KB by recursive descent, hashes every string byte
 * by byte, counts it in a table, and adds up the numbers. This is what services do all day: branch
 * on bytes. There is no vector work, no strtod, no locale and no malloc. The figure is MB of text
 * a second.
 */
#include "bench.h"
#include "modern/json/json.h"

#include <inttypes.h>
#include <string.h>

static void check(const char *what, uint64_t is, uint64_t known)
{
	if (is != known)
		bench_wrong("%s: %" PRIu64 ", not %" PRIu64, what, is, known);
}

static void prove(const struct sums *read, const struct sums *written)
{
	check("objects", read->objects, written->objects);
	check("sum of the whole numbers", read->whole, written->whole);
	check("sum of the cents", read->cents, written->cents);
	check("values that are true", read->trues, written->trues);
	check("strings", read->strings, written->strings);
	check("sum of the hashes", read->hashes, written->hashes);
}

/* What the table holds must be all that was read. */
static void prove_table(const struct table *table, const struct sums *written)
{
	uint64_t strings = 0, hashes = 0;

	for (int i = 0; i < TABLE_SLOTS; i++) {
		strings += table->slot[i].count;
		hashes += table->slot[i].count * table->slot[i].hash;
	}
	check("strings in the table", strings, written->strings);
	check("sum of the hashes in the table", hashes, written->hashes);
}

int main(int argc, char **argv)
{
	static char text[TEXT_SIZE];
	static struct table table;
	struct bench b;
	struct sums written, read;
	size_t length;

	bench_begin(&b, argc, argv, NULL);
	length = text_write(text, &written);
	b.unit = "MBps";
	b.timebase = 0;
	b.amount = (double)length / 1e6;
	read = json_read(text, &table);
	while (bench_next(&b)) {
		read = json_read(text, &table);
		if (memcmp(&read, &written, sizeof read) != 0)
			break;
	}
	prove(&read, &written);
	prove_table(&table, &written);
	bench_end(&b);
}
