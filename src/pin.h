// SPDX-License-Identifier: GPL-2.0-or-later
/* pin.h - the only thing the harness needs beyond POSIX: binding the calling process to a CPU. */
#ifndef PIN_H
#define PIN_H

/* Returns 0, or -1 with errno set: ENOSYS if the system has no call for this. */
int pin_to_cpu(int cpu);

#endif
