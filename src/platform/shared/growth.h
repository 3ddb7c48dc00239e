// SPDX-License-Identifier: GPL-2.0-or-later
/* growth.h - for programs that write files which may grow beyond the limit of the user. */
#ifndef GROWTH_H
#define GROWTH_H

#include <signal.h>

/*
 * A write beyond the limit then fails and sets errno, from which a message is made. SIGXFSZ would
 * end the process without one.
 */
static inline void growth_fails_with_errno(void)
{
	signal(SIGXFSZ, SIG_IGN);
}

#endif
