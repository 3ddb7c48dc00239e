/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * cctest.c - what the C test compiles: eight hours on a small railway, in any C since 1989.
 * It prints the same on every machine: "cctest 44061 952 19.406".
 */
#include <stdio.h>
#include <string.h>

#define STATIONS 7
#define TRAINS 5
#define MINUTES 480	/* eight hours */

enum state { WAITING, LOADING, MOVING, BROKEN };

struct station {
	char name[12];	/* with its NUL */
	int waiting;	/* people on the platform */
	double km;	/* from the first station */
};

struct train {
	struct station *at;	/* the last stop, or the next while it moves */
	enum state state;
	int seats;	/* nobody stands */
	int aboard;	/* never more than seats */
	int timer;	/* minutes until it leaves or arrives */
	int step;	/* 1 or -1: towards the sea or away */
	double speed;	/* kilometres a minute */
	double fuel;	/* below 0 it stands still until it has been refuelled */
};

static struct station line[STATIONS] = {
	{ "Fenwater", 4, 0.0 },
	{ "Osk", 9, 3.5 },
	{ "Pell", 2, 5.25 },
	{ "Tarn Hill", 0, 9.0 },
	{ "Low Marsh", 6, 14.75 },
	{ "Varnhem", 11, 16.0 },
	{ "Sea", 1, 21.5 }
};

static struct train trains[TRAINS];
static unsigned long seed = 7;
static long carried;	/* passengers who got where they wanted to be */

/* Sixteen bits, so that every machine draws the same. */
static int draw(int limit)
{
	seed = (seed * 25173 + 13849) & 0xffff;
	return (int)(seed % (unsigned long)limit);
}

static double distance(const struct station *a, const struct station *b)
{
	double d = a->km - b->km;

	return d < 0 ? -d : d;
}

static void set_up(void)
{
	int i;

	memset(trains, 0, sizeof trains);
	for (i = 0; i < TRAINS; i++) {
		trains[i].at = &line[i];
		trains[i].state = WAITING;
		trains[i].seats = 20 + 4 * i;
		trains[i].step = i % 2 ? 1 : -1;
		trains[i].speed = 0.25 * (i + 2);
		trains[i].fuel = 24.0;
	}
}

static int load(struct train *t)
{
	int room = t->seats - t->aboard;
	int n = t->at->waiting < room ? t->at->waiting : room;

	t->at->waiting -= n;
	t->aboard += n;
	return n;
}

static struct station *next_stop(struct train *t)
{
	long here = t->at - line;

	if (here + t->step < 0 || here + t->step >= STATIONS)
		t->step = -t->step; /* turns round at the end of the line */
	return t->at + t->step;
}

static void move(struct train *t)
{
	struct station *to = next_stop(t);
	double km = distance(t->at, to);

	t->timer = (int)(km / t->speed) + 1;
	t->fuel -= km * 0.125;
	t->at = to;
	t->state = t->fuel < 0 ? BROKEN : MOVING;
}

static void minute(struct train *t)
{
	switch (t->state) {
	case WAITING:
		t->timer = 1 + load(t) / 4; /* four doors */
		t->state = LOADING;
		break;
	case LOADING:
		if (--t->timer <= 0)
			move(t);
		break;
	case MOVING:
		if (--t->timer > 0)
			break;
		carried += t->aboard / 2; /* the others go on */
		t->aboard -= t->aboard / 2;
		t->state = WAITING;
		break;
	case BROKEN:
		t->fuel += 0.5;
		if (t->fuel > 8.0)
			t->state = WAITING;
		break;
	}
}

static unsigned long checksum(const char *text, unsigned long sum)
{
	while (*text != '\0')
		sum = (sum * 31 + (unsigned char)*text++) & 0xffff; /* 16 bits here too */
	return sum;
}

int main(void)
{
	unsigned long sum = 1;
	double fuel = 0.0;
	int now, i;

	set_up();
	for (now = 0; now < MINUTES; now++) {
		line[draw(STATIONS)].waiting += draw(5);
		for (i = 0; i < TRAINS; i++)
			minute(&trains[i]);
	}
	for (i = 0; i < STATIONS; i++)
		sum = checksum(line[i].name, sum + (unsigned)line[i].waiting);
	for (i = 0; i < TRAINS; i++)
		fuel += trains[i].fuel;
	printf("cctest %lu %ld %.3f\n", sum, carried, fuel);
	return 0;
}
