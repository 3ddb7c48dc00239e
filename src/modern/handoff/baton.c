// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * baton.c - waiting and waking, an implementation for Linux and one for all other systems. Neither
 * spins first.
 */
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "modern/handoff/baton.h"

#include <errno.h>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>

/* Systems of 32 bits that are younger than the year 2038's problem have only this. */
#if !defined(SYS_futex)
#define SYS_futex SYS_futex_time64
#endif
/* FUTEX_WAIT_PRIVATE and FUTEX_WAKE_PRIVATE: not every C library comes with their header. */
enum { WAIT = 0 | 128, WAKE = 1 | 128 };

const char baton_means[] = "futex";

void baton_make(struct baton *b)
{
	atomic_init(&b->word, 0);
}

void baton_give(struct baton *b, uint32_t word)
{
	atomic_store_explicit(&b->word, word, memory_order_release);
	if (syscall(SYS_futex, &b->word, WAKE, 1, NULL, NULL, 0) == -1)
		bench_fail("cannot wake a thread");
}

uint32_t baton_wait(struct baton *b, uint32_t old)
{
	uint32_t word;

	while ((word = atomic_load_explicit(&b->word, memory_order_acquire)) == old)
		if (syscall(SYS_futex, &b->word, WAIT, old, NULL, NULL, 0) == -1
				&& errno != EAGAIN && errno != EINTR)
			bench_fail("cannot wait for a thread");
	return word;
}
#else
const char baton_means[] = "cond";

void baton_make(struct baton *b)
{
	atomic_init(&b->word, 0);
	errno = pthread_mutex_init(&b->lock, NULL);
	if (errno == 0)
		errno = pthread_cond_init(&b->change, NULL);
	if (errno != 0)
		bench_fail("cannot make a condition variable");
}

void baton_give(struct baton *b, uint32_t word)
{
	pthread_mutex_lock(&b->lock);
	atomic_store_explicit(&b->word, word, memory_order_relaxed);
	pthread_cond_signal(&b->change);
	pthread_mutex_unlock(&b->lock);
}

uint32_t baton_wait(struct baton *b, uint32_t old)
{
	uint32_t word;

	pthread_mutex_lock(&b->lock);
	while ((word = atomic_load_explicit(&b->word, memory_order_relaxed)) == old)
		pthread_cond_wait(&b->change, &b->lock);
	pthread_mutex_unlock(&b->lock);
	return word;
}
#endif
