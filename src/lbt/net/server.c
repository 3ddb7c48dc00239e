// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * server.c - accepts connections and gives each a process; the server itself reads nothing that
 * comes over them.
 */
#include "lbt/net/server.h"
#include "lbt/net/protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* --- the log */

enum { LINES = 10 };
static const int64_t WINDOW_NS = 10000000000;

static void log_limited(const char *format, ...) CHANNEL_FORMAT(1, 2);

/*
 * Writes a line for the operator on standard error, unless there were many already: peers must not
 * be able to fill a log. Further lines of a period are only counted.
 */
static void log_limited(const char *format, ...)
{
	static int64_t window_start;
	static int logged, left_out;
	const int64_t now = bench_clock();
	va_list values;

	if (window_start == 0 || now - window_start > WINDOW_NS) {
		if (left_out > 0)
			fprintf(stderr, "net: %d more such lines were left out\n", left_out);
		window_start = now;
		logged = left_out = 0;
	}
	if (++logged > LINES) {
		left_out++;
		return;
	}
	va_start(values, format);
	fputs("net: ", stderr);
	vfprintf(stderr, format, values);
	fputc('\n', stderr);
	va_end(values);
}

/* --- the socket that listens */

enum { BACKLOG = 128 };

static int complain(const char *bind_to, int port, const char *why, const char *remedy)
{
	fprintf(stderr, "net: cannot listen on '%s' port %d: %s\n", bind_to, port, why);
	if (remedy)
		fprintf(stderr, "net: %s\n", remedy);
	return -1;
}

static const char *remedy_for(int cause)
{
	if (cause == EADDRINUSE)
		return "another program has this port, perhaps another 'net --serve': end it, or "
			"choose another by --port and call HOST:PORT from the other machine";
	if (cause == EADDRNOTAVAIL)
		return "--bind takes an address of this machine, or 0.0.0.0 for all of them";
	if (cause == EACCES)
		return "ports below 1024 are for root: choose another by --port";
	return NULL;
}

/* The port can be taken even if connections to it have just ended. */
static bool listens(int fd, const struct addrinfo *a)
{
	const int on = 1;

	return setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0
		&& bind(fd, a->ai_addr, a->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0
		&& fcntl(fd, F_SETFL, O_NONBLOCK) == 0;
}

/* Listens. If it cannot, prints why on standard error and returns -1. */
static int listener_open(const char *bind_to, int port)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE };
	struct addrinfo *found;
	char service[8];
	int trouble, fd;

	snprintf(service, sizeof service, "%d", port);
	trouble = getaddrinfo(bind_to, service, &hints, &found);
	if (trouble != 0)
		return complain(bind_to, port, gai_strerror(trouble), remedy_for(EADDRNOTAVAIL));
	fd = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
	if (fd == -1 || fd >= FD_SETSIZE || !listens(fd, found)) {
		const int cause = errno;
		if (fd != -1)
			close(fd);
		fd = complain(bind_to, port, strerror(cause), remedy_for(cause));
	}
	freeaddrinfo(found);
	return fd;
}

/*
 * Prints where it listens, when there is all to serve there; false with errno if it cannot:
 *
 *	net: listening on 127.0.0.1 port 7117
 */
static bool listener_say(int listener)
{
	char name[ADDRESS];
	union address a;
	socklen_t size = sizeof a;

	if (getsockname(listener, &a.any, &size) == -1)
		return false;
	tcp_name(&a, size, name);
	return printf("net: listening on %s port %d\n", name, tcp_port(&a)) > 0
		&& fflush(stdout) == 0;
}

/* --- the clients */

/*
 * The processes, one for each connection, and the peer that each serves: a table of fixed size,
 * which peers cannot make grow. MOST_SERVED connections are served, all from one address;
 * MOST_OTHERS more may be greeting.
 */
enum { MOST_SERVED = 256, MOST_OTHERS = 16, PLACES = MOST_SERVED + MOST_OTHERS };

static struct client {
	pid_t pid;	/* 0: this place is free */
	bool served;
	char name[ADDRESS];
} clients[PLACES];

/* Finds the first place with this process id; 0 finds the first free place. */
static struct client *find_client(pid_t pid)
{
	for (int i = 0; i < PLACES; i++)
		if (clients[i].pid == pid)
			return &clients[i];
	return NULL;
}

/* Counts the connections of an address that have not greeted, or were not taken yet. */
static int waiting_of(const char *name)
{
	int waiting = 0;

	for (int i = 0; i < PLACES; i++)
		waiting += clients[i].pid != 0 && !clients[i].served
			&& strcmp(clients[i].name, name) == 0;
	return waiting;
}

static void end_client(struct client *c)
{
	kill(c->pid, SIGKILL);
	while (waitpid(c->pid, NULL, 0) == -1 && errno == EINTR)
		continue;
	c->pid = 0;
}

/*
 * Makes room for a connection from this address. Where there is none, the address that has most
 * connections without a greeting loses one of them, unless that is this one; then it is false.
 */
static bool clients_make_room(const char *name)
{
	struct client *of_most = NULL;
	int most = waiting_of(name) + 1;

	if (find_client(0))
		return true;
	for (int i = 0; i < PLACES; i++) {
		const int waiting = clients[i].served ? 0 : waiting_of(clients[i].name);
		if (waiting > most) {
			most = waiting;
			of_most = &clients[i];
		}
	}
	if (!of_most)
		return false;
	log_limited("%s: it holds %d places without a greeting, one was given to another machine",
		of_most->name, most);
	end_client(of_most);
	return true;
}

static void clients_add(pid_t pid, const char *name)
{
	struct client *c = find_client(0);

	if (!c)
		return;
	*c = (struct client){ .pid = pid };
	snprintf(c->name, sizeof c->name, "%s", name);
}

static bool may_be_served(const struct client *c)
{
	int served = 0;

	for (int i = 0; i < PLACES; i++) {
		if (clients[i].pid == 0 || !clients[i].served)
			continue;
		if (strcmp(clients[i].name, c->name) != 0)
			return false;
		served++;
	}
	return served < MOST_SERVED;
}

/*
 * Called when the connection of this process has greeted. Sends the process SIGUSR1 if it is to
 * serve the connection, else SIGUSR2.
 */
static void clients_answer(pid_t pid)
{
	struct client *c = find_client(pid);

	if (!c)
		return;
	c->served = may_be_served(c);
	kill(pid, c->served ? SIGUSR1 : SIGUSR2);
}

static void forget(pid_t pid, int status)
{
	struct client *c = find_client(pid);
	const char *words = exit_reason(status);

	if (c && words)
		log_limited("%s: %s", c->name, words);
	if (c)
		c->pid = 0;
}

/* Removes processes that have ended, and tells the operator what was wrong with their peers. */
static void clients_reap(void)
{
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		forget(pid, status);
}

static void clients_kill(void)
{
	for (int i = 0; i < PLACES; i++)
		if (clients[i].pid != 0)
			kill(clients[i].pid, SIGKILL);
	for (int i = 0; i < PLACES; i++)
		if (clients[i].pid != 0)
			end_client(&clients[i]);
}

/* --- the server */

enum { ASKED = 10 };
static const struct timespec REST = { .tv_nsec = 100000000 }, MOMENT = { .tv_nsec = 50000000 };

static volatile sig_atomic_t stopped;
/* Processes whose connections have greeted write their ids here. */
static int claims[2];

static void on_signal(int signal)
{
	stopped |= signal != SIGCHLD;
}

/* Signals arrive only while the server waits, with the mask `waiting`. */
static void take_signals(sigset_t *waiting)
{
	static const int WANTED[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };
	struct sigaction action = { .sa_handler = on_signal }, before;
	sigset_t held;

	sigemptyset(waiting);
	sigemptyset(&held);
	for (size_t i = 0; i < sizeof WANTED / sizeof *WANTED; i++) {
		sigaddset(&held, WANTED[i]);
		sigaction(WANTED[i], &action, &before);
		/* nohup ignores SIGHUP, and that must stay so. */
		if (WANTED[i] == SIGHUP && before.sa_handler == SIG_IGN)
			signal(SIGHUP, SIG_IGN);
	}
	sigprocmask(SIG_BLOCK, &held, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/*
 * Runs in the process of a connection. The server decides, because it alone knows all connections.
 * It is asked several times: the process of the peer before this one ends a moment after its last
 * line, and the server may not have noticed yet.
 */
static const char *ask_server(void)
{
	const pid_t me = getpid();
	sigset_t answers;
	int answer = 0;

	sigemptyset(&answers);
	sigaddset(&answers, SIGUSR1);
	sigaddset(&answers, SIGUSR2);
	sigprocmask(SIG_BLOCK, &answers, NULL);
	for (int i = 0; i < ASKED && answer != SIGUSR1; i++) {
		if (i > 0)
			nanosleep(&MOMENT, NULL);
		if (write(claims[1], &me, sizeof me) != sizeof me || sigwait(&answers, &answer) != 0)
			return "about to end";
	}
	return answer == SIGUSR1 ? NULL : "busy with another machine, or full: try again later";
}

static void answer_one(void)
{
	pid_t pid;

	clients_reap();
	if (read(claims[0], &pid, sizeof pid) == sizeof pid && pid > 0)
		clients_answer(pid);
}

static _Noreturn void become_receiver(int listener, int fd)
{
	close(listener);
	close(claims[0]);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGCHLD, SIG_DFL);
	fcntl(fd, F_SETFL, 0);
	receiver_serve(fd, ask_server);
}

/* False if this machine lacks some resource, so that trying again at once would fail too. */
static bool serve_one(int listener, int fd, const char *name)
{
	pid_t pid;

	if (!clients_make_room(name)) {
		log_limited("%s: one connection too many, it was ended", name);
		return true;
	}
	pid = fork();
	if (pid == 0)
		become_receiver(listener, fd);
	if (pid == -1)
		log_limited("%s: cannot make a process for it: %s", name, strerror(errno));
	else
		clients_add(pid, name);
	return pid != -1;
}

static bool accept_one(int listener)
{
	union address a;
	socklen_t size = sizeof a;
	char name[ADDRESS];
	bool went_on;
	int fd;

	fd = accept(listener, &a.any, &size);
	if (fd == -1) {
		if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED)
			return true;
		log_limited("cannot accept a connection: %s", strerror(errno));
		return false;
	}
	tcp_name(&a, size, name);
	clients_reap();
	went_on = serve_one(listener, fd, name);
	close(fd);
	return went_on;
}

static void serve(int listener, const sigset_t *waiting)
{
	bool went_on = true;
	fd_set ready;

	while (!stopped) {
		FD_ZERO(&ready);
		FD_SET((size_t)claims[0], &ready);
		if (went_on)
			FD_SET((size_t)listener, &ready);
		if (pselect(FD_SETSIZE, &ready, NULL, NULL, went_on ? NULL : &REST, waiting) == -1)
			FD_ZERO(&ready);
		if (FD_ISSET((size_t)claims[0], &ready))
			answer_one();
		went_on = !FD_ISSET((size_t)listener, &ready) || accept_one(listener);
		clients_reap();
	}
	clients_kill();
}

/* Prints why this machine cannot serve, and returns the exit status. */
static int cannot(const char *what)
{
	const int cause = errno;
	const char *limit = cause == EMFILE ? "open files: ulimit -n 64"
		: cause == EAGAIN ? "processes: ulimit -u 512" : NULL;

	fprintf(stderr, "net: cannot %s: %s\n", what, strerror(cause));
	if (limit)
		fprintf(stderr, "net: raise the limit on %s\n", limit);
	return 1;
}

/* Looks whether a connection would find a descriptor and a process here; 0, or the exit status. */
static int try_to_serve(int listener)
{
	const int fd = dup(listener);
	pid_t pid;

	if (fd == -1)
		return cannot("serve a connection");
	close(fd);
	pid = fork();
	if (pid == 0)
		_exit(0);
	if (pid == -1)
		return cannot("make a process for a connection");
	while (waitpid(pid, NULL, 0) == -1 && errno == EINTR)
		continue;
	return 0;
}

int server_run(const char *bind_to, int port)
{
	sigset_t waiting;
	int listener;

	/*
	 * Handlers are set before the server says where it listens, because a signal may follow at
	 * once.
	 */
	take_signals(&waiting);
	/* The pipe is made first: where the listener fits into an fd_set, it does. */
	if (pipe(claims) == -1)
		return cannot("make a pipe");
	listener = listener_open(bind_to, port);
	if (listener == -1 || try_to_serve(listener) != 0)
		return 1;
	if (!listener_say(listener))
		return cannot("print where it listens");
	serve(listener, &waiting);
	return 0;
}
