// SPDX-License-Identifier: GPL-2.0-or-later
/* seat.h - the CPUs that this process may use, for threads that choose one each. */
#ifndef SEAT_H
#define SEAT_H

#include <stdbool.h>

/* How many there are; 1 where no call tells. */
int seat_count(void);
/* Moves the calling thread to the first (0), second (1) ... of them; false where that cannot be done. */
bool seat_take(int which);

#endif
