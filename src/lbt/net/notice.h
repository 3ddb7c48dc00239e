// SPDX-License-Identifier: GPL-2.0-or-later
/* notice.h - lines for the operator of a server, on standard error. */
#ifndef NET_NOTICE_H
#define NET_NOTICE_H

#include "channel.h"

/* Writes a line unless there were many already: peers must not be able to fill a log. */
void notice(const char *format, ...) CHANNEL_FORMAT(1, 2);

#endif
