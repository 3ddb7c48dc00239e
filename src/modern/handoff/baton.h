// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * baton.h - a word for which two threads wait in turn: by a futex on Linux, with a condition
 * variable elsewhere. What a thread wrote before it gave the word the other can read after it got
 * the word.
 */
#ifndef MODERN_BATON_H
#define MODERN_BATON_H
#include "modern/shared/team.h"

struct baton {
	_Alignas(TEAM_LINE) _Atomic uint32_t word;
	pthread_mutex_t lock;		/* this and `change` are not used with a futex */
	pthread_cond_t change;
};

extern const char baton_means[];
void baton_make(struct baton *b);
/* Changes the word, and wakes the other thread. */
void baton_give(struct baton *b, uint32_t word);
/* Sleeps while the word is `old`, and returns the new one. */
uint32_t baton_wait(struct baton *b, uint32_t old);

#endif
