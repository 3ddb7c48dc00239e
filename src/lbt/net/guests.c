// SPDX-License-Identifier: GPL-2.0-or-later
/* guests.c - a table of fixed size, which peers cannot make grow. */
#include "lbt/net/guests.h"
#include "lbt/net/ending.h"
#include "lbt/net/notice.h"
#include "lbt/net/tcp.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

enum { PLACES = MOST_SERVED + MOST_OTHERS };

static struct guest {
	pid_t pid;	/* 0: this place is free */
	bool served;
	char name[ADDRESS];
} guests[PLACES];

/* Finds the first place with this process id; 0 finds the first free place. */
static struct guest *find(pid_t pid)
{
	for (int i = 0; i < PLACES; i++)
		if (guests[i].pid == pid)
			return &guests[i];
	return NULL;
}

/* Counts the connections of an address that have not greeted, or were not taken yet. */
static int waiting_of(const char *name)
{
	int waiting = 0;

	for (int i = 0; i < PLACES; i++)
		waiting += guests[i].pid != 0 && !guests[i].served
			&& strcmp(guests[i].name, name) == 0;
	return waiting;
}

static void end(struct guest *g)
{
	kill(g->pid, SIGKILL);
	while (waitpid(g->pid, NULL, 0) == -1 && errno == EINTR)
		continue;
	g->pid = 0;
}

bool guests_make_room(const char *name)
{
	struct guest *of_most = NULL;
	int most = waiting_of(name) + 1;

	if (find(0))
		return true;
	for (int i = 0; i < PLACES; i++) {
		const int waiting = guests[i].served ? 0 : waiting_of(guests[i].name);
		if (waiting > most) {
			most = waiting;
			of_most = &guests[i];
		}
	}
	if (!of_most)
		return false;
	notice("%s: it holds %d places without a greeting, one was given to another machine",
		of_most->name, most);
	end(of_most);
	return true;
}

void guests_add(pid_t pid, const char *name)
{
	struct guest *g = find(0);

	if (!g)
		return;
	*g = (struct guest){ .pid = pid };
	snprintf(g->name, sizeof g->name, "%s", name);
}

static bool may_be_served(const struct guest *g)
{
	int served = 0;

	for (int i = 0; i < PLACES; i++) {
		if (guests[i].pid == 0 || !guests[i].served)
			continue;
		if (strcmp(guests[i].name, g->name) != 0)
			return false;
		served++;
	}
	return served < MOST_SERVED;
}

void guests_answer(pid_t pid)
{
	struct guest *g = find(pid);

	if (!g)
		return;
	g->served = may_be_served(g);
	kill(pid, g->served ? SIGUSR1 : SIGUSR2);
}

static void forget(pid_t pid, int status)
{
	struct guest *g = find(pid);
	const char *words = ending_words(status);

	if (g && words)
		notice("%s: %s", g->name, words);
	if (g)
		g->pid = 0;
}

void guests_reap(void)
{
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		forget(pid, status);
}

void guests_kill(void)
{
	for (int i = 0; i < PLACES; i++)
		if (guests[i].pid != 0)
			kill(guests[i].pid, SIGKILL);
	for (int i = 0; i < PLACES; i++)
		if (guests[i].pid != 0)
			end(&guests[i]);
}
