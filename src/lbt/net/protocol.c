// SPDX-License-Identifier: GPL-2.0-or-later
/* protocol.c - the lines of protocol.h, as both sides use them. */
#include "lbt/net/protocol.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MOST_DIGITS = 9 };
static const char MAGIC[] = "touchstone-net", DIGITS[] = "0123456789";

const char *const TASK_NAMES[TASKS] = { "stream", "echo", "datagrams", "check" };

bool protocol_say(const struct wire *w, const char *format, ...)
{
	char line[LINE];
	va_list values;
	int used = snprintf(line, sizeof line, "%s %d ", MAGIC, PROTOCOL);

	va_start(values, format);
	used += vsnprintf(line + used, sizeof line - (size_t)used, format, values);
	va_end(values);
	if (used > LINE - 1)
		used = LINE - 1;
	line[used++] = '\n';
	return wire_write(w, line, (size_t)used) != -1;
}

const char *protocol_words(const char *line, long *protocol)
{
	const size_t magic = strlen(MAGIC);
	const char *number = line + magic + 1;
	size_t digits;

	if (strncmp(line, MAGIC, magic) != 0 || line[magic] != ' ')
		return NULL;
	digits = strspn(number, DIGITS);
	if (digits == 0 || digits > MOST_DIGITS
			|| (number[digits] != ' ' && number[digits] != '\0'))
		return NULL;
	*protocol = strtol(number, NULL, 10);
	return number[digits] == ' ' ? number + digits + 1 : number + digits;
}

bool protocol_read_report(const char *words, struct report *r)
{
	int end = 0;

	if (words[strspn(words, "0123456789. ")] != '\0')
		return false;
	return sscanf(words, "%18" SCNu64 " %18" SCNu64 " %18lf%n", &r->octets, &r->reads, &r->cpu,
		&end) == 3 && words[end] == '\0';
}

/* No 256 octets are like those before, so that a shift by any number of octets is noticed. */
void protocol_fill(unsigned char block[BLOCK])
{
	for (int i = 0; i < BLOCK; i++)
		block[i] = (unsigned char)(i * 31 + i / 256 * 7);
}

double protocol_cpu(void)
{
	struct rusage self;

	getrusage(RUSAGE_SELF, &self);
	return (double)(self.ru_utime.tv_sec + self.ru_stime.tv_sec)
		+ (double)(self.ru_utime.tv_usec + self.ru_stime.tv_usec) / 1e6;
}
