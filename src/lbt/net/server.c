// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * server.c - accepts connections and gives each a process; the server itself reads nothing that
 * comes over them.
 */
#include "lbt/net/server.h"
#include "lbt/net/guests.h"
#include "lbt/net/listener.h"
#include "lbt/net/notice.h"
#include "lbt/net/receiver.h"
#include "lbt/net/tcp.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

	guests_reap();
	if (read(claims[0], &pid, sizeof pid) == sizeof pid && pid > 0)
		guests_answer(pid);
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

	if (!guests_make_room(name)) {
		notice("%s: one connection too many, it was ended", name);
		return true;
	}
	pid = fork();
	if (pid == 0)
		become_receiver(listener, fd);
	if (pid == -1)
		notice("%s: cannot make a process for it: %s", name, strerror(errno));
	else
		guests_add(pid, name);
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
		notice("cannot accept a connection: %s", strerror(errno));
		return false;
	}
	tcp_name(&a, size, name);
	guests_reap();
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
		guests_reap();
	}
	guests_kill();
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
