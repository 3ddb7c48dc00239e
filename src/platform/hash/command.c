// SPDX-License-Identifier: GPL-2.0-or-later
/* command.c - start a command, listen to it and reap it; command.h tells what for. */
#include "command.h"
#include "../shared/orphan.h"
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

/* TEXT: of what a command prints the rest is dropped. */
enum { TEXT = 512 };
static const int ends[] = { SIGHUP, SIGINT, SIGTERM };
enum { ENDS = sizeof ends / sizeof *ends };

/* What a command printed, how it ended, and the errno of one that cannot be run. */
struct answer {
	char text[TEXT];
	int status, cause;
};

/* For the signal handlers. 0: no command runs. */
static volatile pid_t running;
static const char *volatile leftover;

/* Only what a signal handler may call. */
static void tidy(void)
{
	const int cause = errno;

	if (running != 0) {
		kill(running, SIGKILL);
		while (waitpid(running, NULL, 0) == -1 && errno == EINTR)
			continue;
		running = 0;
	}
	if (leftover)
		unlink(leftover);
	errno = cause;
}

static void on_end(int number)
{
	tidy();
	signal(number, SIG_DFL);
	raise(number);
}

static void set_of_all(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGALRM);
	for (int i = 0; i < ENDS; i++)
		sigaddset(set, ends[i]);
}

/* The handlers do not interrupt each other. Who ignores a signal from the start goes on with it. */
void command_prepare(void)
{
	struct sigaction action = { .sa_handler = on_end, .sa_flags = SA_RESTART }, before;

	set_of_all(&action.sa_mask);
	for (int i = 0; i < ENDS; i++)
		if (sigaction(ends[i], &action, &before) == 0 && before.sa_handler == SIG_IGN)
			signal(ends[i], SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	/* A file of many GB takes long. */
	orphan_watch(tidy);
}

void command_leaves(const char *path)
{
	leftover = path;
}

static _Noreturn void give_up(const char *what)
{
	tidy();
	bench_fail("%s", what);
}

/* Above the standard streams, even when they are closed, and closed by an exec. */
static void make_pipe(int fd[2])
{
	int low[2];

	if (pipe(low) == -1)
		give_up("cannot make a pipe");
	for (int i = 0; i < 2; i++) {
		fd[i] = fcntl(low[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		if (fd[i] == -1)
			give_up("cannot make a pipe");
		close(low[i]);
	}
}

/* After a SIGKILL no handler runs. Elsewhere the command ends with the file. */
#if defined(__linux__)
static void end_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
}
#else
static void end_with(pid_t parent)
{
	(void)parent;
}
#endif

static void restore_signals(const sigset_t *mask)
{
	for (int i = 0; i < ENDS; i++)
		if (signal(ends[i], SIG_DFL) == SIG_IGN)
			signal(ends[i], SIG_IGN);
	signal(SIGALRM, SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
}

/* A child is never left between its fork and its entry in `running`. 0 in the child. */
static pid_t noted_fork(void)
{
	const pid_t parent = getpid();
	sigset_t all, before;
	pid_t pid;

	set_of_all(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	pid = fork();
	if (pid == 0) {
		end_with(parent);
		restore_signals(&before);
		return 0;
	}
	if (pid == -1)
		give_up("cannot make a process");
	running = pid;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

static _Noreturn void become(const char *const words[], int out, bool errors_too, int trouble)
{
	int cause;

	if (dup2(out, STDOUT_FILENO) != -1 && (!errors_too || dup2(out, STDERR_FILENO) != -1))
		execvp(words[0], (char *const *)words);
	cause = errno;
	_exit(write(trouble, &cause, sizeof cause) == sizeof cause ? 1 : 2);
}

/* All that comes, as far as there is room. Closes the descriptor. */
static void listen_to(int fd, void *to, size_t room)
{
	char block[TEXT];
	size_t used = 0;
	ssize_t n;

	while ((n = read(fd, block, sizeof block)) > 0 || (n == -1 && errno == EINTR)) {
		const size_t left = room - used, kept = n > 0 ? (size_t)n : 0;

		memcpy((char *)to + used, block, kept < left ? kept : left);
		used += kept < left ? kept : left;
	}
	if (n == -1)
		give_up("cannot read what a command prints");
	close(fd);
}

/* Between its end and the removal from `running` the process id stays taken. */
static int reap(void)
{
	sigset_t all, before;
	siginfo_t info;
	int status;

	while (waitid(P_PID, (id_t)running, &info, WEXITED | WNOWAIT) == -1)
		if (errno != EINTR)
			give_up("cannot wait for a command");
	set_of_all(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	while (waitpid(running, &status, 0) == -1)
		if (errno != EINTR)
			give_up("cannot wait for a command");
	running = 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}

static struct answer run(const char *const words[], bool errors_too)
{
	struct answer got = { .cause = 0 };
	int out[2], trouble[2];

	make_pipe(out);
	make_pipe(trouble);
	if (noted_fork() == 0)
		become(words, out[1], errors_too, trouble[1]);
	close(out[1]);
	close(trouble[1]);
	listen_to(trouble[0], &got.cause, sizeof got.cause);
	listen_to(out[0], got.text, sizeof got.text - 1);
	got.status = reap();
	return got;
}

static void check(const char *command, const struct answer *got)
{
	if (got->cause == 0 && got->status == 0)
		return;
	tidy();
	if (got->cause == ENOENT)
		bench_skip("there is no command '%s' (Debian package coreutils)", command);
	errno = got->cause;
	if (got->cause != 0)
		bench_fail("cannot run '%s'", command);
	if (WIFSIGNALED(got->status))
		bench_wrong("'%s' was killed by signal %d", command, WTERMSIG(got->status));
	bench_wrong("'%s' exited with status %d", command, WEXITSTATUS(got->status));
}

/*
 * A line is `DIGEST  NAME`. A backslash in front says that in the name some characters are written
 * in another way.
 */
void command_digest(const struct algorithm *a, const struct input *in, char digest[DIGEST_TEXT])
{
	const char *const words[] = { a->command, in->path, NULL };
	const struct answer got = run(words, false);
	const char *const from = got.text + (got.text[0] == '\\');
	const size_t digits = algorithm_digits(a);

	check(a->command, &got);
	if (strspn(from, "0123456789abcdef") != digits || from[digits] != ' ') {
		tidy();
		bench_wrong("'%s' printed no digest", a->command);
	}
	memcpy(digest, from, digits);
	digest[digits] = '\0';
}

/* BusyBox knows no option for it, and calls itself by its name when it says so. */
const char *command_version(const char *command)
{
	static struct answer got;
	const char *const words[] = { command, "--version", NULL };
	char *line = got.text;

	got = run(words, true);
	if (got.cause != 0)
		return "none";
	if (got.status != 0)
		line = strstr(got.text, "BusyBox");
	if (!line || line[0] == '\0' || line[0] == '\n')
		return "unknown";
	line[strcspn(line, "\r\n")] = '\0';
	return line;
}
