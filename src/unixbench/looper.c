// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * looper - one operation runs a command to its end and checks its result. No shell is involved.
 *
 *	-i FILE	each run reads FILE from its start; otherwise the input is empty
 *	-o TEXT	each run must print exactly TEXT, give or take a final newline
 *	-a	accepts any exit status, for commands whose versions disagree, but no signal
 *	-k FILE	runs the script FILE once before the clock starts, with the command as its
 *		arguments; it must exit 0
 *	-s	the result is the seconds of one run, not the runs per minute
 */
#include "bench.h"
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_RUN = 127 };

struct command {
	char **words;
	const char *input;	/* file name, or NULL */
	char *output;		/* expected text without its last newline, or NULL */
	const char *check;	/* name of a script, or NULL */
	bool any_status, as_seconds;
	int trouble[2];		/* pipe for the errno of a child that cannot run the command */
};

static _Noreturn void become(const struct command *c, const int out[2])
{
	const int in = c->input ? open(c->input, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	const bool has_input = in == STDIN_FILENO || (in != -1 && dup2(in, STDIN_FILENO) != -1);
	int cause;

	if (has_input && (!c->output || dup2(out[1], STDOUT_FILENO) != -1)) {
		if (c->output) {
			close(out[0]);
			close(out[1]);
		}
		execvp(c->words[0], c->words);
	}
	cause = errno;
	_exit(write(c->trouble[1], &cause, sizeof cause) == sizeof cause ? CANNOT_RUN : 1);
}

/*
 * False when the output ends too early. Output that differs ends the test at once, as it may be
 * endless.
 */
static bool read_output(const struct command *c, int fd)
{
	const size_t known = strlen(c->output);
	size_t at = 0;
	char block[4096];
	ssize_t n;

	while ((n = read(fd, block, sizeof block)) > 0)
		for (ssize_t i = 0; i < n; i++, at++)
			if (at > known || block[i] != (at == known ? '\n' : c->output[at]))
				bench_wrong("'%.300s' did not print the known answer", c->words[0]);
	close(fd);
	return at >= known;
}

static void check_status(const struct command *c, int status)
{
	const char *name = c->words[0];
	int cause;

	if (WIFSIGNALED(status))
		bench_wrong("'%.300s' was killed by signal %d", name, WTERMSIG(status));
	if (WEXITSTATUS(status) == CANNOT_RUN && read(c->trouble[0], &cause, sizeof cause) == sizeof cause) {
		errno = cause;
		bench_fail("cannot run '%.300s'", name);
	}
	if (WEXITSTATUS(status) != 0 && !c->any_status)
		bench_wrong("'%.300s' exited with status %d", name, WEXITSTATUS(status));
}

static void run(const struct command *c)
{
	bool complete = true;
	int out[2], status;
	pid_t child;

	if (c->output && pipe(out) == -1)
		bench_fail("cannot make a pipe");
	child = fork();
	if (child == -1)
		bench_fail("cannot make a process");
	if (child == 0)
		become(c, out);
	if (c->output) {
		close(out[1]);
		complete = read_output(c, out[0]);
	}
	if (waitpid(child, &status, 0) != child)
		bench_fail("cannot wait for '%.300s'", c->words[0]);
	check_status(c, status);
	if (!complete)
		bench_wrong("'%.300s' did not print the known answer", c->words[0]);
}

static struct command command_from(int argc, char **argv)
{
	struct command c = { 0 };
	int option;

	opterr = 0;
	while ((option = getopt(argc, argv, "i:o:ak:s")) != -1) {
		if (option == 'i')
			c.input = optarg;
		else if (option == 'o')
			c.output = optarg;
		else if (option == 'a')
			c.any_status = true;
		else if (option == 'k')
			c.check = optarg;
		else if (option == 's')
			c.as_seconds = true;
		else
			bench_usage();
	}
	if (optind >= argc)
		bench_usage();
	if (c.output && *c.output && c.output[strlen(c.output) - 1] == '\n')
		c.output[strlen(c.output) - 1] = '\0';
	c.words = argv + optind;
	return c;
}

/*
 * Makes standard input empty for all runs, and finds a missing input file before the clock starts.
 */
static void prepare(struct command *c)
{
	const char *input = c->input ? c->input : "/dev/null";
	const int in = open(input, O_RDONLY);

	if (in == -1 || dup2(in, STDIN_FILENO) == -1)
		bench_fail("cannot read '%.300s'", input);
	if (in != STDIN_FILENO)
		close(in);
	if (pipe(c->trouble) == -1)
		bench_fail("cannot make a pipe");
	fcntl(c->trouble[0], F_SETFD, FD_CLOEXEC);
	fcntl(c->trouble[1], F_SETFD, FD_CLOEXEC);
	fcntl(c->trouble[0], F_SETFL, O_NONBLOCK);
}

/* Runs the script that checks what the command produces, before the clock starts. */
static void check(const struct command *c, int words)
{
	struct command script = { .trouble = { c->trouble[0], c->trouble[1] } };

	script.words = calloc((size_t)words + 3, sizeof *script.words);
	if (!script.words)
		bench_fail("no memory for a command");
	script.words[0] = "/bin/sh";
	script.words[1] = (char *)c->check;
	memcpy(script.words + 2, c->words, (size_t)words * sizeof *c->words);
	run(&script);
	free(script.words);
}

int main(int argc, char **argv)
{
	struct command c;
	struct bench b;

	bench_begin(&b, argc, argv, "SECONDS [-i FILE] [-o TEXT] [-k FILE] [-a] [-s] COMMAND [ARGUMENTS]");
	/*
	 * getopt, as POSIX defines it, stops at the first word that is not an option, so the
	 * command keeps its own options.
	 */
	c = command_from(argc - 1, argv + 1);
	b.timebase = c.as_seconds ? 1 : 60;
	b.unit = c.as_seconds ? BENCH_SECONDS : "lpm";
	prepare(&c);
	/* A single run of a command may take long. */
	bench_watch();
	if (c.check)
		check(&c, argc - 1 - optind);
	while (bench_next(&b))
		run(&c);
	bench_end(&b);
}
