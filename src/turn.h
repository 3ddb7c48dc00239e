// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * turn.h - turns: Run compares builds by letting one program of each live side by side, and each
 * in turn measure for some hundredths of a second while the others wait here. bench.c does this for
 * every program that counts with bench_next; a program knows nothing of it. Run sets
 *
 *	TS_TURN	descriptor from which each turn comes as 16 octets: its length in nanoseconds, padded
 *		with spaces. Its end of file says that there are no more
 *
 * and gets a line for each turn, with the monotonic clock at its start, how often the process slept
 * of its own will, and about ten looks on the way: nanoseconds, nanoseconds of CPU time and
 * operations since its start. The last look is the end of the turn.
 *
 *	TURN|825366029664|0|5031200:5030100:17012 10064000:10062000:34041 ...
 */
#ifndef TURN_H
#define TURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void turn_open(void);
/* True when Run has turns for this process, and it has not refused them. */
bool turn_is_wanted(void);
void turn_refuse(void);
/* Waits for a turn. Returns its nanoseconds, or 0 when there are no more. */
int64_t turn_wait(void);
/* True from turn_begin to turn_end. */
bool turn_is_taken(void);
/* Nanoseconds between two looks of the current turn. */
int64_t turn_look(void);
void turn_begin(int64_t when, uint64_t count);
void turn_note(int64_t when, uint64_t count);
/* Reports the turn; the last note was its end. */
void turn_end(void);
/*
 * A process that is about to replace itself hands its turn over as text, empty where there are no
 * turns. turn_load is false for anything else.
 */
void turn_save(char *text, size_t size);
bool turn_load(const char *text);

#endif
