// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel - one pass is one timed build of the Linux kernel's vmlinux by JOBS jobs. SECONDS is
 * accepted and not used: a build takes as long as it takes. Unpacking, configuring, a first build
 * and `make clean` come before the clock starts; modules and compressed images are never built.
 *
 * SOURCE is a source tree, which is only read, or a tar file. CONFIG is a target such as
 * tinyconfig. DIRECTORY keeps objects, and the unpacked source, from one pass to the next. CC is
 * the compiler, also for the tools that the build needs; without CC the kernel chooses, and it
 * chooses gcc.
 */
#include "bench.h"
#include "lbt/kernel/make.h"
#include "watch.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * --- the directory that keeps a build from one pass to the next:
 *
 *	prepared	source, configuration, architecture and compiler of the objects
 *	objects/	the output of make
 *	source/		the contents of the tar file; a source tree is read where it is
 *
 * It is unpacked, configured and built once. An empty marker is written before anything else: a
 * directory without a marker was not made by this program, and is never removed. The marker:
 *
 *	source=/usr/src/linux-source-6.1.tar.xz
 *	size=138009412
 *	changed=1763288220
 *	configuration=tinyconfig
 *	architecture=x86_64
 *	compiler=the kernel's choice
 *	objects=467
 */

struct place {
	const char *configuration;
	bool packed;		/* whether `given` is a tar file */
	/* Absolute paths. `tree` is `given` or, if that is a tar file, `source`. */
	char *given, *tree, *source, *unpacked, *objects, *image, *marker;
	char *made_of;		/* the text of the marker, without the number of objects */
};

static char *absolute(const char *path)
{
	char here[4096];

	if (path[0] == '/')
		return make_text("%s", path);
	if (!getcwd(here, sizeof here))
		bench_fail("cannot tell what the current directory is");
	return make_text("%s/%s", here, path);
}

static bool is_there(const char *path)
{
	struct stat s;

	return lstat(path, &s) == 0;
}

/* Finds out where everything is, and makes the directory if there is none. */
static void place_begin(struct place *p, const char *directory, const char *source,
		const char *configuration)
{
	struct stat s;
	char *base;

	if (stat(source, &s) == -1)
		bench_fail("cannot read '%.300s'", source);
	if (mkdir(directory, 0777) == -1 && errno != EEXIST)
		bench_fail("cannot make the directory '%.300s'", directory);
	errno = 0;
	base = absolute(directory);
	p->configuration = configuration;
	p->given = absolute(source);
	p->packed = !S_ISDIR(s.st_mode);
	p->unpacked = make_text("%s/unpacked", base);
	p->source = make_text("%s/source", base);
	p->tree = p->packed ? p->source : p->given;
	p->objects = make_text("%s/objects", base);
	p->image = make_text("%s/objects/vmlinux", base);
	p->marker = make_text("%s/prepared", base);
	p->made_of = make_text("source=%s\nsize=%lld\nchanged=%lld\n"
		"configuration=%s\narchitecture=%s\ncompiler=%s\n",
		p->given, (long long)s.st_size, (long long)s.st_mtime,
		configuration, make_architecture(), make_compiler());
	free(base);
	/* Temporary files of compilers that are killed are removed with the objects. */
	if (setenv("TMPDIR", p->objects, 1) == -1)
		bench_fail("cannot set the environment");
}

/* Files may have been removed since, to make room. */
static bool is_whole(const struct place *p)
{
	char *config = make_text("%s/.config", p->objects);
	const bool whole = is_there(config) && is_there(p->tree);

	free(config);
	return whole;
}

/*
 * Returns -1 if the marker is missing or names another source, configuration, architecture or
 * compiler.
 */
static long objects_of_marker(const struct place *p)
{
	const size_t length = strlen(p->made_of);
	char *text = calloc(length + 1, 1);
	FILE *in = fopen(p->marker, "r");
	long objects = -1;

	if (!text)
		bench_fail("no memory for a text");
	if (in && fread(text, 1, length, in) == length && strcmp(text, p->made_of) == 0 &&
			fscanf(in, "objects=%ld\n", &objects) != 1)
		objects = -1;
	if (in)
		fclose(in);
	free(text);
	errno = 0;
	return objects;
}

static void write_marker(const struct place *p, const char *text)
{
	FILE *out = fopen(p->marker, "w");

	if (!out || fputs(text, out) == EOF || fclose(out) == EOF)
		bench_fail("cannot write '%.300s'", p->marker);
}

static void remove_all(const struct place *p)
{
	char *words[] = { "rm", "-rf", "--", p->source, p->unpacked, p->objects, NULL };
	const struct command c = { .words = words, .now = "removing an older build" };
	struct command_end end = command_run(&c);

	command_check(&end, "rm");
}

static void make_room(const struct place *p)
{
	const char *const used = is_there(p->source) ? p->source :
		is_there(p->unpacked) ? p->unpacked : is_there(p->objects) ? p->objects : NULL;

	if (used && !is_there(p->marker)) {
		errno = 0;
		bench_fail("'%.300s' is there already, and not of this program's making", used);
	}
	write_marker(p, "");
	if (used)
		remove_all(p);
	if (mkdir(p->objects, 0777) == -1)
		bench_fail("cannot make '%.300s'", p->objects);
}

/* Finds the Makefile: in the directory that was unpacked into, or in one of its subdirectories. */
static char *top_of(const struct place *p)
{
	DIR *dir = opendir(p->unpacked);
	struct dirent *entry;
	char *top = NULL;

	if (!dir)
		bench_fail("cannot read '%.300s'", p->unpacked);
	while (!top && (entry = readdir(dir))) {
		char *makefile = make_text("%s/%s/Makefile", p->unpacked, entry->d_name);

		if (strcmp(entry->d_name, "..") != 0 && is_there(makefile))
			top = strcmp(entry->d_name, ".") == 0 ? make_text("%s", p->unpacked) :
				make_text("%s/%s", p->unpacked, entry->d_name);
		free(makefile);
	}
	closedir(dir);
	return top;
}

/*
 * tar detects the compression by itself. With -o the files belong to this user, whoever owned
 * them.
 */
static void unpack(const struct place *p)
{
	char *words[] = { "tar", "-x", "-o", "-f", p->given, "-C", p->unpacked, NULL };
	const struct command c = { .words = words, .now = "unpacking the source" };
	struct command_end end;
	char *top;

	if (mkdir(p->unpacked, 0777) == -1)
		bench_fail("cannot make '%.300s'", p->unpacked);
	end = command_run(&c);
	command_check(&end, "tar");
	top = top_of(p);
	errno = 0;
	if (!top)
		bench_fail("'%.300s' holds no Makefile, so no kernel", p->given);
	if (rename(top, p->tree) == -1)
		bench_fail("cannot move '%.300s'", top);
	free(top);
	if (rmdir(p->unpacked) == -1 && errno != ENOENT && errno != ENOTEMPTY && errno != EEXIST)
		bench_fail("cannot remove '%.300s'", p->unpacked);
	errno = 0;
}

/* Fails unless the build has made a kernel. */
static void place_check(const struct place *p)
{
	unsigned char head[5] = { 0 };
	FILE *in = fopen(p->image, "rb");

	if (!in)
		bench_fail("make ended well, but there is no '%.300s'", p->image);
	if (fread(head, 1, sizeof head, in) != sizeof head || memcmp(head, "\177ELF", 4) != 0)
		bench_wrong("'%.300s' is not an ELF file", p->image);
	if (make_bits() != 0 && head[4] != make_bits() / 32)
		bench_wrong("'%.300s' is not of %d bits", p->image, make_bits());
	fclose(in);
}

/*
 * Prepares the directory unless that was done before. Returns the number of objects of the first
 * build.
 */
static long place_prepare(const struct place *p)
{
	const long known = is_whole(p) ? objects_of_marker(p) : -1;
	struct command_end end;
	char *text;

	if (known >= 0)
		return known;
	errno = 0;
	make_room(p);
	if (p->packed)
		unpack(p);
	end = make_run(p->tree, p->objects, p->configuration, NULL);
	command_check(&end, "make with the configuration");
	end = make_run(p->tree, p->objects, "vmlinux", "first build, not timed: ");
	command_check(&end, "make vmlinux");
	place_check(p);
	text = make_text("%sobjects=%ld\n", p->made_of, end.objects);
	write_marker(p, text);
	free(text);
	return end.objects;
}

/* The old kernel is removed, so that a kernel found after the build is a new one. */
static void place_clean(const struct place *p)
{
	struct command_end end = make_run(p->tree, p->objects, "clean", NULL);

	command_check(&end, "make clean");
	if (unlink(p->image) == -1 && errno != ENOENT)
		bench_fail("cannot remove '%.300s'", p->image);
	errno = 0;
}

/* --- the program */

enum { MAX_JOBS = 100000 };

/*
 * Objects that `make clean` left from the build before would not be built again. The limit is
 * half, because the first build also made tools, which may stay.
 */
static void check_work(long objects, long before)
{
	if (objects < before / 2)
		bench_wrong("only %ld of %ld objects were built: 'make clean' leaves the others",
			objects, before);
}

/*
 * Returns `text` if it is a target for configuration, and neither an option nor a variable for
 * make.
 */
static const char *configuration(const char *text)
{
	const char *letters = "abcdefghijklmnopqrstuvwxyz0123456789_.-ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	const size_t length = strlen(text), end = strlen("config");

	if (length < end || strcmp(text + length - end, "config") != 0 || text[0] == '-' ||
			text[strspn(text, letters)] != '\0')
		bench_usage();
	return text;
}

int main(int argc, char **argv)
{
	struct command_end end;
	static struct place place;
	struct bench b;
	long before;

	bench_begin(&b, argc, argv, "SECONDS JOBS DIRECTORY SOURCE CONFIG [CC]");
	if (argc < 6 || argc > 7)
		bench_usage();
	b.unit = BENCH_SECONDS;
	make_begin(bench_number(argv[2], "JOBS", 1, MAX_JOBS), argc > 6 ? argv[6] : NULL);
	place_begin(&place, argv[3], argv[4], configuration(argv[5]));
	bench_watch();

	before = place_prepare(&place);
	place_clean(&place);
	bench_start(&b);
	end = make_run(place.tree, place.objects, "vmlinux", "");
	bench_tick(&b, 1);
	command_check(&end, "make vmlinux");
	place_check(&place);
	check_work(end.objects, before);
	bench_end(&b);
}
