// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * facts.c - see facts.h. The facts come from xdpyinfo, if it is installed:
 *
 *	vendor string:    The X.Org Foundation
 *	vendor release number:    12101007
 *	X.Org version: 1.21.1.7
 *	    RENDER
 *	default screen number:    0
 *	screen #0:
 *	  dimensions:    1024x768 pixels (270x203 millimeters)
 *	  depth of root window:    24 planes
 *
 * Otherwise they come from x11perf's header (output.h).
 */
#include "lbt/x11/facts.h"
#include "bench.h"
#include "child.h"
#include "lbt/x11/output.h"
#include "lbt/x11/server.h"
#include "lbt/x11/x11perf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { PATIENCE = 10, MOMENT = 200, TEXT = 32768 };

static char text[TEXT], dropped[1];
static struct child info = {
	.stream = { { .text = text, .room = TEXT }, { .text = dropped, .room = sizeof dropped } },
};

/* Returns the output of xdpyinfo; empty if it is not installed or fails. */
static const char *xdpyinfo(const char *display)
{
	const char *const words[] = { "xdpyinfo", "-display", display, NULL };
	const int64_t until = bench_clock() + (int64_t)PATIENCE * 1000000000;

	if (child_start(&info, words) != 0)
		return "";
	while (child_listen(&info, MOMENT) && bench_clock() < until)
		continue;
	return child_end(&info, until) == 0 ? text : "";
}

static void print_fact(const char *key, const struct words *value)
{
	if (value->text[0] != '\0')
		printf("%s=%s\n", key, value->text);
}

/* Prints the first word: "1024x768" of "1024x768 pixels". */
static void print_word(const char *key, const struct words *value)
{
	const char *end = value->text + strcspn(value->text, " ");
	const struct words word = output_words(value->text, end);

	print_fact(key, &word);
}

static bool print_server(const char *about)
{
	const struct words vendor = output_value(about, "vendor string:");
	const struct words release = output_value(about, "vendor release number:");
	const struct words version = output_value(about, "X.Org version:");

	print_fact("server", &vendor);
	print_fact("version", version.text[0] != '\0' ? &version : &release);
	return vendor.text[0] != '\0';
}

/* The header is: "The X.Org Foundation server version 12101007 on :0". */
static void print_header(const char *header)
{
	const char *version = strstr(header, " server version "), *start = version;
	struct words words;

	if (!version)
		return;
	while (start > header && start[-1] != '\n')
		start--;
	words = output_words(start, version);
	print_fact("server", &words);
	version += strlen(" server version ");
	words = output_words(version, version + strcspn(version, " \n"));
	print_fact("version", &words);
}

static void print_screen(const char *about)
{
	char heading[40];
	const struct words number = output_value(about, "default screen number:");
	const char *screen;
	struct words value;

	snprintf(heading, sizeof heading, "\nscreen #%.20s:\n", number.text);
	screen = strstr(about, heading);
	if (!screen)
		return;
	value = output_value(screen, "  dimensions:");
	print_word("dimensions", &value);
	value = output_value(screen, "  depth of root window:");
	print_word("depth", &value);
}

void facts_print(const char *display)
{
	const char *const noop = "noop";
	struct order order = { .names = &noop, .tests = 1, .reps = 1, .repeat = 1 };
	const char *about, *header;
	struct words version;

	order.display = server_for(display);
	header = x11perf_run(&order, NULL, NULL, NULL);
	about = xdpyinfo(order.display);
	printf("display=%s\n", display);
	if (!print_server(about))
		print_header(header);
	print_screen(about);
	version = output_value(header, "x11perf - X11 performance program, version");
	print_fact("x11perf", &version);
	errno = 0;
	if (fflush(stdout) == EOF)
		bench_fail("cannot write to standard output");
}

/*
 * The tests that need RENDER are known by the beginnings of their names. Text is not among them,
 * as it is drawn without RENDER too.
 */
static bool needs_render(const char *test)
{
	static const char *const needing[] = { "aatrap", "aa1trap", "aa4trap", "addaatrap",
		"compwin", "comppix", "magpix", "minpix" };

	for (size_t i = 0; i < sizeof needing / sizeof *needing; i++)
		if (strncmp(test, needing[i], strlen(needing[i])) == 0)
			return true;
	return false;
}

bool facts_lack_render(const char *display, const char *test)
{
	const char *about = needs_render(test) ? xdpyinfo(display) : "";

	return strstr(about, "number of extensions:") && !strstr(about, "\n    RENDER\n");
}
