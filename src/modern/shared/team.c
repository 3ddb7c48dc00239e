// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * team.c - starts threads and adds up what they count; team.h is the manual. The main thread sleeps
 * meanwhile, and looks at the counts a hundred times, or every 50 ms if that is more often.
 */
#include "modern/shared/team.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LOOKS = 100 };
static const int64_t LONGEST_NS = 50000000, SHORTEST_NS = 1000000, SECOND_NS = 1000000000;

struct team_flag team_flag;

static struct {
	pthread_mutex_t lock;
	pthread_cond_t change;
	int ready;
	bool started;
	struct member *members;	/* so that the memory is not lost, as a sanitizer would call it */
} team_state = { .lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER };

int team_begin(struct bench *b, int argc, char **argv)
{
	bench_begin(b, argc, argv, "SECONDS COPIES");
	if (argc != 3)
		bench_usage();
	return (int)bench_number(argv[2], "COPIES", 1, TEAM_MOST);
}

void *team_memory(size_t bytes)
{
	const size_t whole = (bytes + TEAM_LINE - 1) / TEAM_LINE * TEAM_LINE;
	void *memory;

	errno = posix_memalign(&memory, TEAM_LINE, whole);
	if (errno != 0)
		bench_fail("cannot have %zu bytes of memory", whole);
	return memset(memory, 0, whole);
}

struct member *team_make(int members)
{
	struct member *team = team_state.members = team_memory(sizeof *team * (size_t)members);

	for (int i = 0; i < members; i++) {
		team[i].number = i;
		team[i].of = members;
	}
	return team;
}

uint64_t team_sum(const struct member *team, int members)
{
	uint64_t sum = 0;

	for (int i = 0; i < members; i++)
		sum += atomic_load_explicit(&team[i].count, memory_order_relaxed);
	return sum;
}

void team_ready(void)
{
	pthread_mutex_lock(&team_state.lock);
	team_state.ready++;
	pthread_cond_broadcast(&team_state.change);
	while (!team_state.started)
		pthread_cond_wait(&team_state.change, &team_state.lock);
	pthread_mutex_unlock(&team_state.lock);
}

static void wait_for_all(int members)
{
	pthread_mutex_lock(&team_state.lock);
	while (team_state.ready < members)
		pthread_cond_wait(&team_state.change, &team_state.lock);
	pthread_mutex_unlock(&team_state.lock);
}

static void start_all(void)
{
	pthread_mutex_lock(&team_state.lock);
	team_state.started = true;
	pthread_cond_broadcast(&team_state.change);
	pthread_mutex_unlock(&team_state.lock);
}

static void *run_member(void *argument)
{
	struct member *m = argument;

	if (m->pinned)
		bench_pin(m->number);
	m->work(m);
	return NULL;
}

static void make_thread(struct member *m)
{
	errno = pthread_create(&m->thread, NULL, run_member, m);
	if (errno != 0)
		bench_fail("cannot make thread %d of %d", m->number + 1, m->of);
}

/* Sleeps until the next look, or until the end of the time if that is earlier. */
static void sleep_until_look(const struct bench *b)
{
	const int64_t part = (int64_t)(b->seconds * (double)SECOND_NS / LOOKS);
	const int64_t look = part > LONGEST_NS ? LONGEST_NS : part < SHORTEST_NS ? SHORTEST_NS : part;
	const int64_t left = b->stop - bench_clock();
	const int64_t time = left > 0 && left < look ? left : look;

	nanosleep(&(struct timespec){ .tv_nsec = (long)time }, NULL);
}

void team_measure(struct bench *b, struct member *team, int members,
	void (*work)(struct member *m), bool pinned)
{
	b->unequal = true;
	for (int i = 0; i < members; i++) {
		team[i].work = work;
		team[i].pinned = pinned;
		make_thread(&team[i]);
	}
	wait_for_all(members);
	bench_start(b);
	start_all();
	/* On a busy machine no member may have had its turn when a short time is up. */
	do
		sleep_until_look(b);
	while (bench_tick(b, team_sum(team, members)) || b->count == b->before);
	bench_stop(b);
	atomic_store(&team_flag.stopped, true);
	for (int i = 0; i < members; i++)
		pthread_join(team[i].thread, NULL);
	if (team_sum(team, members) < b->count)
		bench_wrong("%" PRIu64 " operations were counted and %" PRIu64 " done", b->count,
			team_sum(team, members));
}
