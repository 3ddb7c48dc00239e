// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * handoff - one operation is a round trip between two threads that sleep while the other works: one
 * wakes the other and waits for its answer. Each pair has two CPUs of its own, or one where there
 * are no more, since a scheduler that chose would decide the result. Nothing else is done, and no
 * time is spent in spinning.
 */
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "modern/shared/team.h"
#include "spread.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

/*
 * --- the token is a word for which two threads wait in turn: by a futex on Linux, with a condition
 * variable elsewhere. Neither spins first. What a thread wrote before it gave the word the other can
 * read after it got the word.
 */

struct token {
	_Alignas(TEAM_LINE) _Atomic uint32_t word;
	pthread_mutex_t lock;		/* this and `change` are not used with a futex */
	pthread_cond_t change;
};

#if defined(__linux__)

/* Systems of 32 bits that are younger than the year 2038's problem have only this. */
#if !defined(SYS_futex)
#define SYS_futex SYS_futex_time64
#endif
/* FUTEX_WAIT_PRIVATE and FUTEX_WAKE_PRIVATE: not every C library comes with their header. */
enum { WAIT = 0 | 128, WAKE = 1 | 128 };

static const char token_means[] = "futex";

static void token_make(struct token *t)
{
	atomic_init(&t->word, 0);
}

/* Changes the word, and wakes the other thread. */
static void token_give(struct token *t, uint32_t word)
{
	atomic_store_explicit(&t->word, word, memory_order_release);
	if (syscall(SYS_futex, &t->word, WAKE, 1, NULL, NULL, 0) == -1)
		bench_fail("cannot wake a thread");
}

/* Sleeps while the word is `old`, and returns the new one. */
static uint32_t token_wait(struct token *t, uint32_t old)
{
	uint32_t word;

	while ((word = atomic_load_explicit(&t->word, memory_order_acquire)) == old)
		if (syscall(SYS_futex, &t->word, WAIT, old, NULL, NULL, 0) == -1
				&& errno != EAGAIN && errno != EINTR)
			bench_fail("cannot wait for a thread");
	return word;
}
#else
static const char token_means[] = "cond";

static void token_make(struct token *t)
{
	atomic_init(&t->word, 0);
	errno = pthread_mutex_init(&t->lock, NULL);
	if (errno == 0)
		errno = pthread_cond_init(&t->change, NULL);
	if (errno != 0)
		bench_fail("cannot make a condition variable");
}

static void token_give(struct token *t, uint32_t word)
{
	pthread_mutex_lock(&t->lock);
	atomic_store_explicit(&t->word, word, memory_order_relaxed);
	pthread_cond_signal(&t->change);
	pthread_mutex_unlock(&t->lock);
}

static uint32_t token_wait(struct token *t, uint32_t old)
{
	uint32_t word;

	pthread_mutex_lock(&t->lock);
	while ((word = atomic_load_explicit(&t->word, memory_order_relaxed)) == old)
		pthread_cond_wait(&t->change, &t->lock);
	pthread_mutex_unlock(&t->lock);
	return word;
}
#endif

/* --- the trips */

enum { HERE, THERE, END };	/* of the word: with the caller, with the other, no more trips */
enum { EVERY = 16 };		/* of so many trips one is timed */
static const double NS = 1e9;

struct pair {
	struct token token;
	_Alignas(TEAM_LINE) uint64_t answers;
	struct spread times;
};
static struct pair **pairs;

static void make_trip(struct pair *p)
{
	token_give(&p->token, THERE);
	token_wait(&p->token, THERE);
}

static void time_trip(struct pair *p)
{
	const int64_t begin = bench_clock();

	make_trip(p);
	spread_add(&p->times, (uint64_t)(bench_clock() - begin));
}

static void call(struct member *m, struct pair *p)
{
	uint64_t trips = 0;

	while (team_goes_on()) {
		if (trips % EVERY == 0)
			time_trip(p);
		else
			make_trip(p);
		if (p->answers != ++trips)
			bench_wrong("trip %" PRIu64 " has answer %" PRIu64, trips, p->answers);
		team_count(m);
	}
	token_give(&p->token, END);
}

static void answer(struct pair *p)
{
	while (token_wait(&p->token, HERE) != END) {
		p->answers++;
		token_give(&p->token, HERE);
	}
}

/* Memory is near to the CPU that first writes to it, so a pair makes its own. */
static void work(struct member *m)
{
	struct pair **p = &pairs[m->number / 2];

	if (m->number % 2 == 0) {
		*p = team_memory(sizeof **p);
		token_make(&(*p)->token);
	}
	team_ready();
	if (m->number % 2 == 0)
		call(m, *p);
	else
		answer(*p);
}

static void prove(const struct member *team, int members)
{
	for (int i = 0; i < members; i += 2)
		if (pairs[i / 2]->answers != team[i].count)
			bench_wrong("pair %d made %" PRIu64 " trips and has %" PRIu64 " answers", i / 2 + 1,
				team[i].count, pairs[i / 2]->answers);
}

static void say_times(int members)
{
	struct spread *all = &pairs[0]->times;

	for (int i = 1; i < members / 2; i++)
		spread_join(all, &pairs[i]->times);
	channel_say("FIGURE|p50|%.9g|s", spread_at(all, 0.5) / NS);
	channel_say("FIGURE|p99|%.9g|s", spread_at(all, 0.99) / NS);
}

int main(int argc, char **argv)
{
	struct bench b;
	const int copies = team_begin(&b, argc, argv), members = copies < 2 ? 2 : copies / 2 * 2;
	struct member *team = team_make(members);

	pairs = team_memory(sizeof *pairs * (size_t)members / 2);
	team_measure(&b, team, members, work, bench_cpus() > 0);
	prove(team, members);
	channel_say("HOW|%s%s", token_means, bench_cpus() == 1 ? "-one-cpu" : "");
	say_times(members);
	bench_end(&b);
}
