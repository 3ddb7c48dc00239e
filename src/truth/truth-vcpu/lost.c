// SPDX-License-Identifier: GPL-2.0-or-later
/* lost.c - lost.h from two files of Linux; where they are missing, nothing is said. */
#include "truth/truth-vcpu/lost.h"

#include "bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PAUSE = 50000, LINE = 256 };
static const double NS = 1e9;

static int64_t waited(void)
{
	FILE *const file = fopen("/proc/self/schedstat", "r");
	int64_t wait = -1;

	if (!file)
		return -1;
	if (fscanf(file, "%*d %" SCNd64, &wait) != 1)
		wait = -1;
	fclose(file);
	return wait;
}

/* The line of a CPU has user, nice, system, idle, iowait, irq, softirq, steal. */
static void read_stat(int cpu, double *steal, double *interrupts)
{
	const double tick = (double)sysconf(_SC_CLK_TCK);
	char name[16], line[LINE];
	FILE *const file = fopen("/proc/stat", "r");
	unsigned long long irq, soft, stolen;

	*steal = *interrupts = -1;
	if (!file)
		return;
	snprintf(name, sizeof name, "cpu%d ", cpu);
	while (fgets(line, sizeof line, file))
		if (strncmp(line, name, strlen(name)) == 0
				&& sscanf(line, "%*s %*u %*u %*u %*u %*u %llu %llu %llu", &irq, &soft, &stolen) == 3) {
			*steal = (double)stolen / tick;
			*interrupts = (double)(irq + soft) / tick;
		}
	fclose(file);
}

void lost_begin(struct lost *l, int cpu)
{
	*l = (struct lost){ .cpu = cpu };
	read_stat(cpu, &l->steal, &l->interrupts);
	l->wait = waited();
	l->begin = bench_clock();
}

void lost_note(struct lost *l, int64_t pause)
{
	int64_t now;

	if (pause <= PAUSE)
		return;
	now = waited();
	if (now == -1 || l->wait == -1)
		return;
	if (pause - (now - l->wait) > PAUSE)
		l->gaps += pause - (now - l->wait);
	l->waited += now - l->wait;
	l->wait = now;
}

void lost_say(const struct lost *l)
{
	const double seconds = (double)(bench_clock() - l->begin) / NS;
	double steal, interrupts;

	if (l->wait != -1) {
		channel_say("FIGURE|gaps|%.6f", (double)l->gaps / NS / seconds);
		channel_say("FIGURE|waited|%.6f", (double)l->waited / NS / seconds);
	}
	read_stat(l->cpu, &steal, &interrupts);
	if (steal < 0 || l->steal < 0)
		return;
	channel_say("FIGURE|steal|%.6f", (steal - l->steal) / seconds);
	channel_say("FIGURE|interrupts|%.6f", (interrupts - l->interrupts) / seconds);
}
