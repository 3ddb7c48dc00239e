// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tests.h - the measurements. Each starts with a peer that has been greeted, and ends the program.
 */
#ifndef NET_TESTS_H
#define NET_TESTS_H

#include "lbt/net/peer.h"

_Noreturn void test_stream(struct bench *b, struct peer *p);
_Noreturn void test_echo(struct bench *b, struct peer *p);
_Noreturn void test_datagrams(struct bench *b, struct peer *p);

#endif
