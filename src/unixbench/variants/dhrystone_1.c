// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dhrystone_1 - one operation is a pass of Dhrystone 2.1: integers, letters, short texts, records
 * and calls, no floating point. This is unit 1, with the globals and the loop. The command line
 * sets REG, the keyword register or nothing, and ENDLESS. ENDLESS=1, for dhry2 and dhry2reg,
 * counts what UnixBench counts: the loop never ends, so compilers delete the end of each pass,
 * including a division. With ENDLESS=0, for dhry2-strict, the loop ends, all results are checked,
 * and the whole pass is executed.
 */
#include "bench.h"
#include "unixbench/variants/dhrystone.h"

#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

/*
 * Each text has 30 characters, and the first difference is the twentieth, so that a comparison
 * reads twenty.
 */
#define TEXT_R "TOUCHSTONE PHRASE, in a record"
#define TEXT_1 "TOUCHSTONE PHRASE, 1st, copied"
#define TEXT_2 "TOUCHSTONE PHRASE, 2nd, copied"
#define TEXT_3 "TOUCHSTONE PHRASE, 3rd, copied"
_Static_assert(sizeof TEXT_R == TEXT && sizeof TEXT_1 == TEXT, "30 characters");
_Static_assert(sizeof TEXT_2 == TEXT && sizeof TEXT_3 == TEXT, "30 characters");

/* A pass that executes its work needs at least this many core cycles. */
enum { FEWEST_CYCLES = 30 };
enum { CHAINS = 20, CHAIN_LINKS = 4000, LINK_CYCLES = 8 };
enum { SHORTEST_NS = 1000000, LONGEST_NS = 100000000, LOOKS = 100, TEXT_OF_ANSWERS = 400 };
#ifndef __VERSION__
#define __VERSION__ "unknown"
#endif
/* The Dhrystones a second that a VAX-11/780, the machine of 1 MIPS, is said to have reached. */
static const double DMIPS = 1757.0;

/*
 * These are external, as the procedures are: a compiler would keep variables of this file alone in
 * registers, or merge them.
 */
int matrix[CELLS][CELLS];
int vector[CELLS];
struct record *record_a, *record_b;
int global_number;
int global_flag;
char global_letter, last_letter;
volatile unsigned long pass;

void update_records(struct record *p);		/* P1 */
void settle_number(int *number);		/* P2 */
void follow_link(struct record **link);		/* P3 */
void set_flag(void);				/* P4 */
void clear_flag(void);				/* P5 */

void update_records(REG struct record *p)
{
	REG struct record *q = p->link;

	*p->link = *record_a;
	p->as.full.number = 5;
	q->as.full.number = p->as.full.number;
	q->link = p->link;
	follow_link(&q->link);
	if (q->kind == KIND_0) {
		q->as.full.number = 6;
		choose_kind(p->as.full.choice, &q->as.full.choice);
		q->link = record_a->link;
		add_numbers(q->as.full.number, 10, &q->as.full.number);
	} else {
		*p = *p->link;
	}
}

void settle_number(int *number)
{
	enum kind found = KIND_0;
	int i = *number + 10;

	do {
		if (global_letter == 'A') {
			i -= 1;
			*number = i - global_number;
			found = KIND_0;
		}
	} while (found != KIND_0);
}

void follow_link(struct record **link)
{
	if (record_a)
		*link = record_a->link;
	add_numbers(10, global_number, &record_a->as.full.number);
}

void set_flag(void)
{
	int is_a;

	is_a = global_letter == 'A';
	global_flag = is_a | global_flag;
	last_letter = 'B';
}

void clear_flag(void)
{
	global_letter = 'A';
	global_flag = 0;
}

/* The signal handler uses these: the measurement, and the pass before which dhry2-strict stops. */
static struct bench bench;
static volatile unsigned long last_pass;
static double clock_before;

/* `further` lists other correct values; 0 means that there are no more. */
struct answer {
	const char *object;
	long value, known, further[3];
};

static void check(const struct answer *answers, size_t n)
{
	for (const struct answer *a = answers; a < answers + n; a++) {
		bool right = a->value == a->known;

		for (int i = 0; i < 3; i++)
			right |= a->further[i] != 0 && a->value == a->further[i];
		if (!right)
			bench_wrong("%s is %ld, not %ld%s", a->object, a->value, a->known,
				a->further[0] != 0 ? " or another of its known values" : "");
	}
}

/* Checks the values that are constant from the end of the first pass on. */
static void check_within_a_pass(unsigned long now)
{
	const struct record *a = record_a, *b = record_b;
	const struct answer answers[] = {
		{ "the global number", global_number, 5, { 0 } },
		{ "the global letter", global_letter, 'A', { 0 } },
		{ "the last letter", last_letter, 'B', { 0 } },
		{ "vector[8]", vector[8], 7, { 0 } },
		{ "vector[9]", vector[9], 7, { 0 } },
		{ "vector[38]", vector[38], 8, { 0 } },
		{ "matrix[8][7] less the passes", (int32_t)((uint32_t)matrix[8][7] - (uint32_t)now), 9, { 10, 8, 11 } },
		{ "matrix[8][8]", matrix[8][8], 8, { 0 } },
		{ "matrix[8][9]", matrix[8][9], 8, { 0 } },
		{ "matrix[28][8]", matrix[28][8], 7, { 0 } },
		{ "the kind of record A", (long)a->kind, KIND_0, { 0 } },
		{ "the choice of record A", (long)a->as.full.choice, KIND_2, { 0 } },
		{ "the number of record A", a->as.full.number, 17, { 5 } },
		{ "whether record A links to B", a->link == b, 1, { 0 } },
		{ "whether record A has its text", strcmp(a->as.full.text, TEXT_R) == 0, 1, { 0 } },
		{ "the kind of record B", (long)b->kind, KIND_0, { 0 } },
		{ "the choice of record B", (long)b->as.full.choice, KIND_1, { KIND_2 } },
		{ "the number of record B", b->as.full.number, 18, { 5, 6, 17 } },
		{ "whether record B links to itself", b->link == b, 1, { 0 } },
		{ "whether record B has its text", strcmp(b->as.full.text, TEXT_R) == 0, 1, { 0 } },
	};

	check(answers, sizeof answers / sizeof *answers);
}

static int32_t sum(const int *cells, size_t n)
{
	uint32_t total = 0;

	for (size_t i = 0; i < n; i++)
		total += (uint32_t)cells[i];
	return (int32_t)total;
}

/* Prints the FNV-1a hash of the values, as decimals separated by commas. */
static void print_hash(uint64_t passes, const struct answer *answers, size_t n)
{
	char text[TEXT_OF_ANSWERS];
	size_t used = 0;
	uint64_t hash = 14695981039346656037u;

	for (size_t i = 0; i < n; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%ld", i ? "," : "", answers[i].value);
	for (size_t i = 0; i < used; i++)
		hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
	printf("%s\nPASSES=%" PRIu64 ": hash %016" PRIx64 "\n", text, passes, hash);
}

/*
 * Checks all results after whole passes, including the loop's own variables. Each value has a
 * fixed place in the hash.
 */
static void check_all(uint64_t passes, long a, long b, long c, enum kind e, const char *y1, const char *y2)
{
	const struct record *ra = record_a, *rb = record_b;
	const struct answer answers[] = {
		{ "the global number", global_number, 5, { 0 } },
		{ "the global flag", global_flag, 1, { 0 } },
		{ "the global letter", global_letter, 'A', { 0 } },
		{ "the last letter", last_letter, 'B', { 0 } },
		{ "vector[8]", vector[8], 7, { 0 } },
		{ "vector[9]", vector[9], 7, { 0 } },
		{ "vector[38]", vector[38], 8, { 0 } },
		{ "matrix[8][7]", matrix[8][7], (int32_t)(uint32_t)(passes + 10), { 0 } },
		{ "matrix[8][8]", matrix[8][8], 8, { 0 } },
		{ "matrix[8][9]", matrix[8][9], 8, { 0 } },
		{ "matrix[28][8]", matrix[28][8], 7, { 0 } },
		{ "the kind of record A", (long)ra->kind, KIND_0, { 0 } },
		{ "the choice of record A", (long)ra->as.full.choice, KIND_2, { 0 } },
		{ "the number of record A", ra->as.full.number, 17, { 0 } },
		{ "whether record A links to B", ra->link == rb, 1, { 0 } },
		{ "the kind of record B", (long)rb->kind, KIND_0, { 0 } },
		{ "the choice of record B", (long)rb->as.full.choice, KIND_1, { 0 } },
		{ "the number of record B", rb->as.full.number, 18, { 0 } },
		{ "whether record B links to itself", rb->link == rb, 1, { 0 } },
		{ "a", a, 5, { 0 } },
		{ "b", b, 13, { 0 } },
		{ "c", c, 7, { 0 } },
		{ "e", (long)e, KIND_1, { 0 } },
		{ "whether record A has its text", strcmp(ra->as.full.text, TEXT_R) == 0, 1, { 0 } },
		{ "whether record B has its text", strcmp(rb->as.full.text, TEXT_R) == 0, 1, { 0 } },
		{ "whether text 1 is unchanged", strcmp(y1, TEXT_1) == 0, 1, { 0 } },
		{ "whether text 2 was copied", strcmp(y2, TEXT_2) == 0, 1, { 0 } },
		{ "the sum of the vector", sum(vector, CELLS), 22, { 0 } },
		{ "the sum of the matrix", sum(matrix[0], CELLS * CELLS), (int32_t)(uint32_t)(passes + 33), { 0 } },
	};
	const size_t n = sizeof answers / sizeof *answers;

	check(answers, n);
	print_hash(passes, answers, n);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/*
 * Returns cycles a second, measured by chains of additions that depend on one another. The
 * exclusive or keeps the compiler from replacing a chain by its sum.
 */
static double core_clock(void)
{
	static volatile unsigned seeds[2] = { 0x9e3779b9u, 0x7f4a7c15u };
	double fastest = 1.0;

	for (int i = 0; i < CHAINS; i++) {
		const unsigned s = seeds[0], k = seeds[1];
		const double start = now();
		double seconds;
		unsigned x = s;

		for (int j = 0; j < CHAIN_LINKS; j++)
			x = ((((((((x + s) ^ k) + s) ^ k) + s) ^ k) + s) ^ k);
		seeds[0] = x;
		seconds = now() - start;
		if (seconds < fastest)
			fastest = seconds;
	}
	return (double)CHAIN_LINKS * LINK_CYCLES / fastest;
}

/*
 * The core clock is measured before and after the run, because it may have been low before, or may
 * fall later.
 */
static _Noreturn void finish(void)
{
	const double seconds = (double)(bench.now - bench.start) / 1e9, rate = (double)bench.count / seconds;
	const double clock_after = core_clock();
	const double cycles = (clock_before > clock_after ? clock_before : clock_after) / rate;

	if (cycles < FEWEST_CYCLES)
		bench_wrong("a pass took %.1f cycles, fewer than %d: the compiler has deleted work", cycles, FEWEST_CYCLES);
	printf("DMIPS %.1f (Dhrystone 2.1 work-alike, compiler %s, two units, no LTO, flags in build.facts)\n",
		rate / DMIPS, __VERSION__);
	bench_end(&bench);
}

/*
 * The timer fires once, counted from now: a periodic timer would sometimes be too early for a
 * slice, and the last one must be at the end. A very short timer would fire before the handler
 * returns, again and again, and no pass would be executed.
 */
static void set_timer(void)
{
	const int64_t left = bench.stop - bench.now, look = (bench.stop - bench.start) / LOOKS;
	const int64_t until = look < left ? look : left;
	const int64_t ns = until < SHORTEST_NS ? SHORTEST_NS : until > LONGEST_NS ? LONGEST_NS : until;
	const struct itimerval shot = { .it_value.tv_usec = (suseconds_t)(ns / 1000 + 1) };

	if (setitimer(ITIMER_REAL, &shot, NULL) == -1)
		bench_fail("cannot set a timer");
}

/*
 * Where a long has 32 bits, the loop's counter starts again from 0 after a minute; this count does
 * not.
 */
static uint64_t passes_in_all(unsigned long reached)
{
	static unsigned long before;
	static uint64_t dropped;

	if (reached < before)
		dropped += (uint64_t)ULONG_MAX + 1;
	before = reached;
	return dropped + reached;
}

static void on_alarm(int signal)
{
	const unsigned long reached = pass;
	const uint64_t passes = passes_in_all(reached);

	(void)signal;
	if (bench_tick(&bench, passes) || passes < 2) {
		set_timer();
	} else if (ENDLESS) {
		check_within_a_pass(reached);
		finish();
	} else {
		last_pass = reached + 2;
	}
}

/*
 * The records are the first allocations of the process, B before A: with glibc both then lie 32
 * bytes past a multiple of 64, as in UnixBench.
 */
static void make_records(void)
{
	record_b = malloc(sizeof *record_b);
	record_a = malloc(sizeof *record_a);
	if (!record_a || !record_b)
		bench_fail("cannot allocate two records");
	record_a->link = record_b;
	record_a->kind = KIND_0;
	record_a->as.full.choice = KIND_2;
	record_a->as.full.number = 40;
	strcpy(record_a->as.full.text, TEXT_R);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_alarm };
	int a = 0;
	REG int b = 0;
	int c = 0;
	REG char ch;
	enum kind e = KIND_0;
	char text_1[TEXT], text_2[TEXT];

	bench_begin(&bench, argc, argv, ENDLESS ? NULL : "SECONDS [PASSES]");
	make_records();
	strcpy(text_1, TEXT_1);
	matrix[8][7] = 10;
	if (argc > 3)
		bench_usage();
	if (argc == 3)
		last_pass = (unsigned long)bench_number(argv[2], "PASSES", 1, 2000000000) + 1;
	if (sigaction(SIGALRM, &action, NULL) == -1)
		bench_fail("cannot handle the timer's signal");
	clock_before = core_clock();
	bench_start(&bench);
	if (last_pass == 0)
		set_timer();
	for (pass = 1; ENDLESS || pass != last_pass; pass++) {
		clear_flag();
		set_flag();
		a = 2;
		b = 3;
		strcpy(text_2, TEXT_2);
		e = KIND_1;
		global_flag = !compare_texts(text_1, text_2);
		while (a < b) {
			c = 5 * a - b;
			add_numbers(a, b, &c);
			a += 1;
		}
		fill_tables(vector, matrix, a, c);
		update_records(record_a);
		for (ch = 'A'; ch <= last_letter; ch++)
			if (e == compare_letters(ch, 'C')) {
				choose_kind(KIND_0, &e);
				strcpy(text_2, TEXT_3);
				b = (int)pass;
				global_number = (int)pass;
			}
		b = b * a;
		a = b / c;
		b = 7 * (b - c) - a;
		settle_number(&a);
	}
	bench_tick(&bench, passes_in_all(pass) - 1);
	check_all(bench.count, a, b, c, e, text_1, text_2);
	finish();
}
