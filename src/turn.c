// SPDX-License-Identifier: GPL-2.0-or-later
/* turn.c - waits for turns and tells what came of each; turn.h is the manual. */
#include "turn.h"
#include "channel.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGE = 16, LOOKS = 10, LOOK_TEXT = 40 };
static const int64_t MAX_NS = 1000000000000;

struct look {
	int64_t when, cpu;
	uint64_t count;
};

static struct {
	int fd;
	int64_t length;
	struct look begin, look[LOOKS];
	int looks;
	long slept;		/* sleeps of the process before this turn */
	bool taken;
} turn = { .fd = -1 };

void turn_open(void)
{
	turn.fd = channel_descriptor("TS_TURN");
}

bool turn_is_wanted(void)
{
	return turn.fd != -1;
}

void turn_refuse(void)
{
	turn.fd = -1;
}

bool turn_is_taken(void)
{
	return turn.taken;
}

int64_t turn_look(void)
{
	return turn.length / LOOKS;
}

int64_t turn_wait(void)
{
	char text[MESSAGE + 1] = "";
	size_t got = 0;

	while (got < MESSAGE) {
		const ssize_t n = read(turn.fd, text + got, MESSAGE - got);
		if (n == 0 || (n == -1 && errno != EINTR))
			return 0;
		got += n > 0 ? (size_t)n : 0;
	}
	turn.length = strtoll(text, NULL, 10);
	if (turn.length <= 0 || turn.length > MAX_NS)
		bench_fail("a turn of '%s' nanoseconds was given", text);
	errno = 0;
	return turn.length;
}

static int64_t cpu_time(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) == -1)
		return 0;
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Sleeps of children that have ended count too, because who waits for them sleeps. */
static long sleeps(void)
{
	struct rusage self, children;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	return self.ru_nvcsw + children.ru_nvcsw;
}

void turn_begin(int64_t when, uint64_t count)
{
	turn.taken = true;
	turn.looks = 0;
	turn.slept = sleeps();
	turn.begin = (struct look){ when, cpu_time(), count };
}

/* Looks nearer to the last one than wanted replace it, so that the last look is always the end. */
void turn_note(int64_t when, uint64_t count)
{
	const struct look now = { when - turn.begin.when, cpu_time() - turn.begin.cpu, count - turn.begin.count };
	const int64_t last = turn.looks > 1 ? turn.look[turn.looks - 2].when : 0;

	if (turn.looks > 0 && (turn.looks == LOOKS || turn.look[turn.looks - 1].when - last < turn_look() * 9 / 10))
		turn.look[turn.looks - 1] = now;
	else
		turn.look[turn.looks++] = now;
}

void turn_end(void)
{
	char looks[LOOKS * LOOK_TEXT] = "";
	size_t used = 0;

	for (int i = 0; i < turn.looks && used < sizeof looks - LOOK_TEXT; i++)
		used += (size_t)snprintf(looks + used, sizeof looks - used, "%s%" PRId64 ":%" PRId64 ":%" PRIu64,
			i > 0 ? " " : "", turn.look[i].when, turn.look[i].cpu, turn.look[i].count);
	channel_say("TURN|%" PRId64 "|%ld|%s", turn.begin.when, sleeps() - turn.slept, looks);
	turn.taken = false;
}

void turn_save(char *text, size_t size)
{
	text[0] = '\0';
	if (!turn_is_wanted())
		return;
	fcntl(turn.fd, F_SETFD, 0);
	snprintf(text, size, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRIu64 ",%ld", turn.length, turn.begin.when,
		turn.begin.cpu, turn.begin.count, turn.slept);
}

bool turn_load(const char *text)
{
	turn.taken = turn_is_wanted();
	return turn.taken
		? sscanf(text, ",%" SCNd64 ",%" SCNd64 ",%" SCNd64 ",%" SCNu64 ",%ld", &turn.length, &turn.begin.when,
			&turn.begin.cpu, &turn.begin.count, &turn.slept) == 5
		: *text == '\0';
}
