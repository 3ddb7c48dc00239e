// SPDX-License-Identifier: GPL-2.0-or-later
/* pin.h - the one thing the harness needs from beyond POSIX: put the calling process on one CPU. */
#ifndef PIN_H
#define PIN_H

/* 0, or -1 with errno; ENOSYS where the system has no such call. */
int pin_to_cpu(int cpu);

#endif
