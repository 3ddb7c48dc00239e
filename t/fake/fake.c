// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fake - stands in the place of a measured program, well or badly behaved; `known` has the behaviours.
 *
 *	fake BEHAVIOUR [argument]	by its own name
 *	FAKE='pipe=measure,hang\nsyscall=exit 3'	by another: pipe measures in its first pass and hangs in
 *			every later one. A program without a line measures. A line for slow/pipe is for the one
 *			in the directory slow alone.
 *	FAKE_STATE	a directory: here every fake notes its process id and what it saw
 *
 * It shares no code with the harness, so that it may break every promise of a program.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	LIFE = 120,		/* seconds: whatever goes wrong, nothing stays for longer */
	LINE = 16384,
	FLOOD_LINES = 16384,	/* of 64 bytes: a megabyte */
	DESCRIPTORS = 256
};
/* Nanoseconds of the clock. All copies say that they began then, so that they all ran in the same window; but for those of `apart`. */
static double began = 4711e9;

static const char *name, *directory;	/* the last two names of the path it was called by */
static const char *copy;
static long calls;			/* how often this copy was called before */
static int word_count;
static char **words;

/* What is measured: the worked example of UnixBench's index, whose score is 1927.8. seconds 0: it is a rate. */
static const struct result {
	const char *what;
	double count, seconds;
	const char *unit;
} results[] = {
	{ "dhry2reg", 48543316.1, 1, "lps" },
	{ "whetstone-double", 7907.0, 0, "MWIPS" },
	{ "execl", 2992.5, 1, "lps" },
	{ "fstime 1024", 1867803, 0, "KBps" },
	{ "fstime 256", 629105, 0, "KBps" },
	{ "fstime 4096", 4599167, 0, "KBps" },
	{ "pipe", 3064197, 1, "lps" },
	{ "context1", 144775.3, 1, "lps" },
	{ "spawn", 10689.6, 1, "lps" },
	{ "syscall", 1890776.3, 1, "lps" },
	{ "looper 1", 9419.8, 60, "lpm" },
	{ "looper 8", 1261.2, 60, "lpm" },
	/* Ten times an AMD K6/233. */
	{ "numeric-sort", 1187.3, 0, "lps" },
	{ "string-sort", 144.59, 0, "lps" },
	{ "bitfield", 279100000, 0, "lps" },
	{ "fp-emulation", 90.314, 0, "lps" },
	{ "fourier", 15655, 0, "lps" },
	{ "assignment", 10.132, 0, "lps" },
	{ "idea", 2202.1, 0, "lps" },
	{ "huffman", 1129.3, 0, "lps" },
	{ "neural-net", 14.799, 0, "lps" },
	{ "lu-decomposition", 267.32, 0, "lps" },
	/* The toolkit's: seven minutes and twelve seconds for a kernel. */
	{ "kernel", 1.0 / 432, 1, "s" },
	{ "whetstone-o2", 38.169, 0, "MWIPS" },
	{ "x11", 1000, 0, "score" },
	{ "net tcp", 1500, 0, "MiBps" },
	{ "net tcp-latency", 50000, 1, "lps" },
	{ "net udp-latency", 40000, 1, "lps" },
	{ "net unix", 2500, 0, "MiBps" },
	{ "net unix-latency", 90000, 1, "lps" },
	/* The platform's: a Celeron made in 2024. */
	{ "memcpy", 4476, 0, "MBps" },
	{ "zstd", 1130, 0, "MBps" },
	{ "hash md5", 344.83, 0, "MBps" },
	{ "hash sha256", 128.21, 0, "MBps" },
	{ "hash sha512", 200, 0, "MBps" },
	{ "inputs", 8547, 0, "mps" },
	{ "transfer", 17.08, 0, "MBps" },
	/* Fixed work: a thousand times a VAX-11/780. */
	{ "pipe84", 1e3 / 3.2, 1, "s" },
	{ "scall84", 1e3 / 4.8, 1, "s" },
	{ "fcall84", 0.001, 0, "s" },
	{ "sieve84", 1e3 / 1.7, 1, "s" },
	{ "dwrite84", 0.002, 0, "s" },
	{ "dread84", 0.008, 0, "s" },
	{ "loop84", 1e3 / 2.6, 1, "s" },
	{ "looper -s tst84.src", 1e3 / 3.3, 1, "s" },
	{ "looper -s cctest.c", 10, 1, "s" },
	{ "looper -s 1", 1e3 / 4.3, 1, "s" },
	{ "looper -s 2", 1e3 / 5.5, 1, "s" },
	{ "looper -s 3", 1e3 / 7.8, 1, "s" },
	{ "looper -s 4", 1e3 / 9.0, 1, "s" },
	{ "looper -s 5", 1e3 / 11.0, 1, "s" },
	{ "looper -s 6", 1e3 / 13.8, 1, "s" },
};

/* What else a program measures. */
static const struct figures {
	const char *what;
	const char *figures[10];
} more[] = {
	{ "net", { "sender_cpu|0.5", "receiver_cpu|0.75" } },
	{ "memcpy", { "fastest|4500", "decompress|4203|MBps", "decompress-fastest|4300", "size|1048000", "input|1048000" } },
	{ "zstd", { "fastest|1150", "decompress|4173|MBps", "decompress-fastest|4200", "size|1048034", "input|1048000" } },
	{ "hash", { "file|500|MBps", "memory|520|MBps", "bytes|100000000", "runs|1" } },
	{ "inputs", { "emission|0.117|s", "reception|0.118|s", "p50|0.0001|s", "p99|0.0002|s", "p99.9|0.0003|s", "max|0.0004|s",
		"emitted|4000", "received|4000", "sessions|4", "second-1|8547" } },
	{ "transfer", { "write|3.59|MBps", "read|15.88|MBps", "back|20|MBps", "cold-read|1", "cold-copy|1", "cold-back|0" } },
};

_Noreturn static void die(const char *what)
{
	fprintf(stderr, "fake: %s: %s\n", what, strerror(errno));
	exit(255);
}

static const char *from_environment(const char *variable, const char *otherwise)
{
	const char *value = getenv(variable);

	return value ? value : otherwise;
}

#if defined __GNUC__
#define FORMAT(format_at, values_at) __attribute__((format(printf, format_at, values_at)))
#else
#define FORMAT(format_at, values_at)
#endif

/* Behind what the text has. */
FORMAT(2, 3) static void append(char text[LINE], const char *format, ...)
{
	size_t has = strlen(text);
	va_list arguments;
	int added;

	va_start(arguments, format);
	added = vsnprintf(text + has, LINE - has, format, arguments);
	va_end(arguments);
	if (added < 0 || (size_t)added >= LINE - has) {
		errno = EMSGSIZE;
		die(format);
	}
}

/* In one call, so that lines of several copies do not mix. */
static void print_line(int fd, const char *text)
{
	char line[LINE] = "";

	append(line, "%s\n", text);
	/* Whoever should read it may be gone. */
	if (write(fd, line, strlen(line)) == -1)
		return;
}

static void complain(const char *text)
{
	print_line(STDERR_FILENO, text);
}

_Noreturn static void hang(void)
{
	for (;;)
		pause();
}

/* A file in FAKE_STATE for this copy, to write behind its end. */
static int open_state(const char *what)
{
	char path[LINE] = "";
	int fd;

	append(path, "%s/%s.%s", from_environment("FAKE_STATE", "."), what, copy);
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd == -1)
		die(path);
	return fd;
}

static void note(const char *what, const char *text)
{
	int fd = open_state(what);

	print_line(fd, text);
	close(fd);
}

static void note_number(const char *what, int64_t number)
{
	char text[LINE] = "";

	append(text, "%lld", (long long)number);
	note(what, text);
}

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int result_pipe(void)
{
	const char *fd = getenv("TS_RESULT");

	return fd ? atoi(fd) : -1;
}

FORMAT(1, 2) static void say(const char *format, ...)
{
	char line[LINE] = "", text[LINE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	if (result_pipe() != -1)
		append(line, "%s|", copy);
	append(line, "%s", text);
	print_line(result_pipe() == -1 ? STDERR_FILENO : result_pipe(), line);
}

static void say_line(const char *line)
{
	say("%s", line);
}

/* Does it with each part of a text that semicolons divide. */
static void each(const char *text, void (*use)(const char *))
{
	while (*text) {
		const char *end = strchr(text, ';');
		size_t length = end ? (size_t)(end - text) : strlen(text);
		char part[LINE] = "";

		append(part, "%.*s", (int)length, text);
		use(part);
		text += length + (end != NULL);
	}
}

/* What the harness does: one byte when ready, then wait for the end of the gate. */
static void start(void)
{
	const char *ready = getenv("TS_READY"), *gate = getenv("TS_GATE");
	char byte;

	if (ready && write(atoi(ready), "r", 1) != 1)
		die("ready");
	if (gate && read(atoi(gate), &byte, 1) == -1)
		die("gate");
}

static bool has_word(const char *word)
{
	for (int i = 1; i < word_count; i++)
		if (strcmp(words[i], word) == 0)
			return true;
	return false;
}

static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* What one program measures with several arguments has a result for each. */
static const char *measured(void)
{
	static char what[LINE];
	const char *detail = "";
	bool is_looper = strcmp(name, "looper") == 0;

	if (strcmp(name, "net") == 0 || strcmp(name, "hash") == 0)
		detail = words[2];
	else if (is_looper)
		detail = last_name(words[word_count - 1]);
	for (int i = 1; i + 1 < word_count; i++) {
		if (strcmp(name, "fstime") == 0 && strcmp(words[i], "-b") == 0)
			detail = words[i + 1];
		/* The text comes last, and the figure depends on how many sort it. */
		if (is_looper && strcmp(last_name(words[i]), "multi.sh") == 0)
			detail = words[i + 1];
	}
	*what = '\0';
	append(what, "%s%s%s%s", name, is_looper && has_word("-s") ? " -s" : "", *detail ? " " : "", detail);
	return what;
}

static void say_figures(void)
{
	if (strcmp(name, "x11") == 0)
		for (int i = 3; i < word_count; i++)
			say("FIGURE|%.*s|5000", (int)strcspn(words[i], "="), words[i]);
	for (size_t i = 0; i < sizeof more / sizeof *more; i++)
		for (int k = 0; k < 10 && strcmp(name, more[i].what) == 0 && more[i].figures[k]; k++)
			say("FIGURE|%s", more[i].figures[k]);
}

/* `other` is a count in the place of the usual one. */
static void say_result(const char *other)
{
	struct result it = { NULL, 1000, 1, "lps" };
	char count[LINE] = "";
	double time;
	bool is_seconds;

	for (size_t i = 0; i < sizeof results / sizeof *results; i++)
		if (strcmp(results[i].what, measured()) == 0)
			it = results[i];
	time = it.seconds > 0 ? it.seconds : 1;
	is_seconds = strcmp(it.unit, "s") == 0 && !(it.seconds > 0);
	if (other)
		append(count, "%s", other);
	else
		append(count, "%.15g", it.count);
	say("SLICE|%.15g|0", began);
	say("SLICE|%.15g|%s", began + time * 1e9, is_seconds ? "1" : count);
	say("COUNT|%s|%.15g|%s", count, it.seconds, it.unit);
	say("TIME|%.15g", time);
	say("CPU|0.5|0.25");
	say_figures();
}

static void measure(const char *argument)
{
	(void)argument;
	start();
	say_result(NULL);
}

/* The next of these counts in each pass, and then from the first again. */
static void measure_rates(const char *counts)
{
	char part[LINE] = "";
	long many = 1, next;

	for (const char *c = counts; *c; c++)
		many += *c == ';';
	for (next = calls % many; next > 0; next--)
		counts = strchr(counts, ';') + 1;
	append(part, "%.*s", (int)strcspn(counts, ";"), counts);
	start();
	say_result(part);
}

static void say_lines(const char *lines)
{
	each(lines, complain);
}

static void say_by_channel(const char *lines)
{
	start();
	each(lines, say_line);
}

static void measure_apart(const char *argument)
{
	began += 9e8 * atoi(copy);
	measure(argument);
}

static void hang_early(const char *argument)
{
	(void)argument;
	note_number("hanging", getpid());
	hang();
}

static void hang_late(const char *argument)
{
	start();
	hang_early(argument);
}

static void hang_stubbornly(const char *argument)
{
	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	hang_late(argument);
}

/* As the harness: a program whose results nobody reads any more ends. */
static void work(const char *argument)
{
	struct pollfd reader = { .fd = result_pipe() };

	(void)argument;
	start();
	note_number("hanging", getpid());
	while (poll(&reader, 1, -1) != 1)
		;
	exit(1);
}

static void end_by_signal(const char *signal)
{
	int number = strcmp(signal, "SEGV") == 0 ? SIGSEGV : strcmp(signal, "KILL") == 0 ? SIGKILL : atoi(signal);

	start();
	kill(getpid(), number);
	hang();
}

static void end_with_status(const char *status)
{
	complain("out of cheese");
	exit(atoi(status));
}

static void say_nothing(const char *argument)
{
	(void)argument;
	start();
}

static void flood(void)
{
	for (int i = 0; i < FLOOD_LINES; i++)
		puts("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
	fflush(stdout);
	for (int i = 0; i < FLOOD_LINES; i++)
		complain("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
}

static void flood_and_measure(const char *argument)
{
	flood();
	measure(argument);
}

static void flood_and_say_lines(const char *lines)
{
	flood();
	say_lines(lines);
}

static void skip(const char *argument)
{
	(void)argument;
	say("SKIP|this machine has no cheese");
	exit(77);
}

/* By no channel, as a program that is run by hand. */
static void skip_alone(const char *argument)
{
	(void)argument;
	complain("SKIP|this machine has no cheese");
	exit(77);
}

/* It keeps the standard streams, as a server does that a careless program starts. */
static void leave_child_behind(const char *argument)
{
	pid_t pid = fork();

	if (pid == -1)
		die("cannot fork");
	if (pid == 0) {
		signal(SIGTERM, SIG_IGN);
		alarm(LIFE);
		hang();
	}
	note_number("grandchild", pid);
	measure(argument);
}

static void let_third_fail(const char *argument)
{
	(void)argument;
	start();
	if (strcmp(copy, "2") != 0)
		hang();
	end_with_status("3");
}

static void let_second_quit(const char *argument)
{
	if (strcmp(copy, "1") == 0)
		exit(0);
	measure(argument);
}

static void let_second_idle(const char *argument)
{
	(void)argument;
	start();
	say(strcmp(copy, "1") == 0 ? "COUNT|0|1|lps" : "COUNT|1000|1|lps");
	say("TIME|1");
}

static void let_second_be_late(const char *argument)
{
	if (strcmp(copy, "1") == 0)
		sleep(1);
	note_number("ready", now());
	start();
	note_number("started", now());
	say_result(argument);
}

static bool is_null_device(int fd)
{
	struct stat in, null;

	return fstat(fd, &in) == 0 && stat("/dev/null", &null) == 0 && S_ISCHR(in.st_mode) && in.st_rdev == null.st_rdev;
}

/* One line a fact: name=value. */
static void look(const char *argument)
{
	extern char **environ;
	char text[LINE] = "", cwd[LINE];

	(void)argument;
	append(text, "pid=%ld\ngroup=%ld\ncwd=%s\n", (long)getpid(), (long)getpgrp(), getcwd(cwd, sizeof cwd) ? cwd : "?");
	append(text, "input=%s\nargs=", is_null_device(STDIN_FILENO) ? "null" : "other");
	for (int i = 1; i < word_count; i++)
		append(text, "%s%s", i > 1 ? " " : "", words[i]);
	append(text, "\nfds=");
	for (int fd = 0; fd < DESCRIPTORS; fd++)
		if (fcntl(fd, F_GETFD) != -1)
			append(text, "%s%d", fd > 0 ? " " : "", fd);
	for (char **e = environ; *e; e++)
		if (strncmp(*e, "TS_", 3) == 0 || strncmp(*e, "TST_", 4) == 0 || strncmp(*e, "MULTI_", 6) == 0 ||
				strncmp(*e, "WANTED", 6) == 0 || strncmp(*e, "HOME=", 5) == 0)
			append(text, "\n%s", *e);
	note("saw", text);
}

static void look_and_measure(const char *argument)
{
	look(argument);
	puts("see me");
	measure(NULL);
}

static void measure_in_part(const char *lacking)
{
	start();
	say("MISSING|%s|no such font", lacking);
	say_result(NULL);
}

static void talk(const char *argument)
{
	(void)argument;
	start();
	for (int i = 1; i <= 3; i++)
		say("NOW|%d objects", i);
	say_result(NULL);
}

static const struct behaviour {
	const char *name;
	void (*show)(const char *argument);
} known[] = {
	{ "measure", measure },
	{ "rates", measure_rates },
	{ "lines", say_lines },
	{ "channel", say_by_channel },
	{ "apart", measure_apart },
	{ "hang", hang_early },
	{ "hang-late", hang_late },
	{ "stubborn", hang_stubbornly },
	{ "work", work },
	{ "signal", end_by_signal },
	{ "exit", end_with_status },
	{ "nothing", say_nothing },
	{ "flood", flood_and_measure },
	{ "flood-lines", flood_and_say_lines },
	{ "skip", skip },
	{ "skip-alone", skip_alone },
	{ "grandchild", leave_child_behind },
	{ "third-fails", let_third_fail },
	{ "second-quits", let_second_quit },
	{ "second-idle", let_second_idle },
	{ "second-late", let_second_be_late },
	{ "look", look },
	{ "see", look_and_measure },
	{ "part", measure_in_part },
	{ "talk", talk },
};

/* The line of FAKE for `key`, behind its `=`, or false. */
static bool find_plan(const char *key, char plan[LINE])
{
	const char *line = from_environment("FAKE", "");
	size_t length = strlen(key);

	while (*line) {
		size_t end = strcspn(line, "\n");

		if (end > length && strncmp(line, key, length) == 0 && line[length] == '=') {
			*plan = '\0';
			append(plan, "%.*s", (int)(end - length - 1), line + length + 1);
			return true;
		}
		line += end + (line[end] == '\n');
	}
	return false;
}

/* The step for this call. A file that grows by an byte counts the calls of this copy. */
static void choose_step(char *plan)
{
	char file[LINE] = "";
	struct stat before;
	int fd;

	append(file, "calls.%s", name);
	fd = open_state(file);
	if (fstat(fd, &before) == -1 || write(fd, ".", 1) != 1)
		die(file);
	close(fd);
	calls = (long)before.st_size;
	for (long i = 0; i < calls && strchr(plan, ','); i++)
		memmove(plan, strchr(plan, ',') + 1, strlen(strchr(plan, ',')));
	plan[strcspn(plan, ",")] = '\0';
}

/* What a program says before a run about a display or another machine. */
_Noreturn static void answer_before_run(void)
{
	char key[LINE] = "", trouble[LINE];

	append(key, "%s %s", name, words[1]);
	if (find_plan(key, trouble)) {
		complain(trouble);
		exit(strncmp(trouble, "SKIP", 4) == 0 ? 77 : 1);
	}
	if (strcmp(name, "zstd") == 0)
		puts("library=zstd 1.5.5");
	else if (strcmp(name, "hash") == 0)
		puts("libcrypto=OpenSSL 3.0.15\nmd5sum=md5sum 9.1\nsha256sum=sha256sum 9.1\nsha512sum=sha512sum 9.1");
	else
		printf("display=%s\nserver=The Cheese Foundation\nversion=12101007\ndimensions=1024x768\ndepth=24\n",
			word_count > 2 ? words[2] : "");
	exit(0);
}

/* The name it was called by, and the directory's. */
static void find_name(char *path)
{
	char *slash = strrchr(path, '/');

	name = slash ? slash + 1 : path;
	directory = "";
	if (slash) {
		*slash = '\0';
		directory = last_name(path);
	}
}

int main(int argc, char **argv)
{
	static char path[LINE], plan[LINE] = "measure", key[LINE];
	char *argument;

	alarm(LIFE);
	append(path, "%s", argv[0]);
	find_name(path);
	copy = from_environment("TS_COPY", "");
	word_count = argc;
	words = argv;
	if (argc > 1 && (strcmp(argv[1], "--facts") == 0 || strcmp(argv[1], "--check") == 0))
		answer_before_run();
	append(key, "%s/%s", directory, name);
	if (strcmp(name, "fake") == 0 && argc > 1) {
		*plan = '\0';
		append(plan, "%s %s", argv[1], argc > 2 ? argv[2] : "");
	} else if (find_plan(key, plan) || find_plan(name, plan))
		choose_step(plan);
	argument = plan + strcspn(plan, " ");
	if (*argument == ' ')
		*argument++ = '\0';
	if (getenv("FAKE_STATE"))
		note_number("pids", getpid());
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(known[i].name, plan) == 0) {
			known[i].show(argument);
			return 0;
		}
	fprintf(stderr, "fake: no behaviour '%s'\n", plan);
	return 255;
}
