// SPDX-License-Identifier: GPL-2.0-or-later
/* room.h - how much memory a process may take without pressing others out. */
#ifndef TRUTH_ROOM_H
#define TRUTH_ROOM_H

#include <stdint.h>

/* Bytes that the system and the cgroup of this process have left; INT64_MAX where neither tells. */
int64_t room_available(void);

#endif
