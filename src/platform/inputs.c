// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * inputs - one operation is a pointer movement, which an emitter sends over a line to a relay, and
 * the relay over another line to a receiver: three processes. The emitter does not wait for a
 * movement to arrive before it sends the next; after a session of 1,000 movements it waits until
 * the receiver has them all. inputs/generate.h describes what is sent.
 */
#include "bench.h"
#include "child.h"
#include "platform/inputs/generate.h"
#include "platform/inputs/lines.h"
#include "spread.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char USAGE[] = "SECONDS [pty|sockets|DEV,DEV], or --check and one of these";
static const int64_t SECOND_NS = 1000000000, MS_NS = 1000000;

/* --- the messages of the processes other than those on the lines, and how the two workers end */

/* The receiver gives up if no movement has come for this many seconds. */
enum { PATIENCE = 10 };

/*
 * The emitter sends this. RECEIVE: a session begins, in a pass that began at `when`. END: the pass
 * ended at `when`.
 */
struct order {
	enum { RECEIVE, END } what;
	int64_t when;
};

/* --- the relay passes on bytes as they come, without knowledge of movements */

enum { ROOM = 4096 };
static pid_t emitter;

/* A real line does not close when the process at its other end dies, so the emitter is checked. */
static void look_for_emitter(void)
{
	if (getppid() != emitter)
		_exit(LINE_ENDED);
}

static void end_well(int number)
{
	(void)number;
	_exit(0);
}

static void end_by_signal(void)
{
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGTERM);
	if (signal(SIGTERM, end_well) == SIG_ERR || sigprocmask(SIG_UNBLOCK, &ends, NULL) == -1)
		bench_fail("cannot set what a signal does");
}

/* Passes on all data until SIGTERM. */
static _Noreturn void relay(int in, int out)
{
	char bytes[ROOM];
	ssize_t n;

	emitter = getppid();
	end_by_signal();
	bytes_look(look_for_emitter);
	while ((n = bytes_read(in, bytes, sizeof bytes)) > 0)
		if (!bytes_write(out, bytes, (size_t)n))
			_exit(LINE_ENDED);
	if (n == -1)
		bench_fail("the relay cannot read from its line");
	_exit(LINE_ENDED);
}

/* --- the receiver */

enum { SECONDS = 60 };
static const double NS = 1e9;
/* The last second of a pass gives a rate only if at least this much of it passed. */
static const double LEAST_SECOND = 0.1;

static struct {
	struct reader line;
	int64_t start;			/* when the pass began */
	uint64_t count;
	int64_t first_emitted, last_emitted;	/* in this session */
	struct spread latency, reception;
	int second;			/* of the pass; the one of the last movement */
	int64_t second_end;
	uint64_t in_second[SECONDS];
} got;

/* For the check once a second: the emitter's process, and how long a movement has been due. */
static struct {
	pid_t emitter;
	bool due;
	uint64_t count;
	int quiet;
} waiting;

static void look_for_movements(void)
{
	if (getppid() != waiting.emitter)
		_exit(LINE_ENDED);
	waiting.quiet = waiting.due && waiting.count == got.count ? waiting.quiet + 1 : 0;
	waiting.count = got.count;
	errno = 0;
	if (waiting.quiet > PATIENCE)
		bench_fail("nothing has arrived for %d seconds: is the other end of the line "
			"connected", PATIENCE);
}

static void take_movement(void)
{
	struct movement m;

	memcpy(&m, reader_take(&got.line, sizeof m), sizeof m);
	if (!movement_is(&m, ++got.count, got.line.when))
		movement_complain(&m, got.count);
	got.last_emitted = m.emitted;
	spread_add(&got.latency, (uint64_t)(got.line.when - m.emitted));
	/* Comparing is faster than dividing for each movement. */
	for (; got.line.when >= got.second_end; got.second_end += SECOND_NS)
		got.second++;
	if (got.second < SECONDS)
		got.in_second[got.second]++;
}

/*
 * The dates are rounded down to milliseconds. The end must be after the time of the last movement,
 * and before this answer came.
 */
static void check_answer(const struct answer *a)
{
	const int64_t span = (a->end - a->start) * MS_NS;

	if (a->iterations != SESSION)
		bench_wrong("the answer says %d iterations, not %d", a->iterations, SESSION);
	if (a->end < a->start)
		bench_wrong("the answer's end is before its start");
	if (span < got.last_emitted - got.first_emitted - MS_NS
			|| span > got.line.when - got.first_emitted + MS_NS)
		bench_wrong("the answer says %" PRId64 " ms, the movements %" PRId64 " to %" PRId64,
			span / MS_NS, (got.last_emitted - got.first_emitted) / MS_NS,
			(got.line.when - got.first_emitted) / MS_NS);
}

static void take_session(void)
{
	char text[ANSWER];
	struct answer a;
	int64_t first;

	take_movement();
	first = got.line.when;
	got.first_emitted = got.last_emitted;
	for (int i = 1; i < SESSION; i++)
		take_movement();
	spread_add(&got.reception, (uint64_t)(got.line.when - first));
	reader_take_text(&got.line, text, sizeof text);
	if (!answer_read(&a, text))
		bench_wrong("rubbish came where the answer behind movement %" PRIu64
			" was expected", got.count);
	check_answer(&a);
	if (reader_has_more(&got.line))
		bench_wrong("something came behind the answer to movement %" PRIu64, got.count);
}

static void say_figures(int64_t end)
{
	const double seconds = (double)(end - got.start) / NS;

	channel_say("FIGURE|reception|%.9f|s", spread_at(&got.reception, 0.5) / NS);
	channel_say("FIGURE|p50|%.9f|s", spread_at(&got.latency, 0.5) / NS);
	channel_say("FIGURE|p99|%.9f|s", spread_at(&got.latency, 0.99) / NS);
	channel_say("FIGURE|p99.9|%.9f|s", spread_at(&got.latency, 0.999) / NS);
	channel_say("FIGURE|max|%.9f|s", (double)got.latency.greatest / NS);
	channel_say("FIGURE|received|%" PRIu64, got.count);
	for (int i = 0; i < SECONDS && seconds - i >= LEAST_SECOND; i++) {
		const double lasted = seconds - i < 1 ? seconds - i : 1;
		channel_say("FIGURE|second-%d|%.1f", i + 1, (double)got.in_second[i] / lasted);
	}
}

/*
 * Takes the movements and the answer of each session, checks them, and records how long they took.
 * Answers each session on `control` with the number of movements so far, and END with figures on the
 * channel.
 */
static _Noreturn void receiver(int line, int control)
{
	struct order order;

	got.line.fd = line;
	waiting.emitter = getppid();
	bytes_look(look_for_movements);
	while (bytes_take(control, &order, sizeof order)) {
		if (order.what == END) {
			say_figures(order.when);
			_exit(0);
		}
		if (got.count == 0) {
			got.start = order.when;
			got.second_end = order.when + SECOND_NS;
		}
		waiting.due = true;
		take_session();
		waiting.due = false;
		if (!bytes_write(control, &got.count, sizeof got.count))
			break;
	}
	_exit(LINE_ENDED);
}

/* --- the emitter */

enum { RELAY, THE_RECEIVER, WORKERS };
static const char *const names[WORKERS] = { "relay", "receiver" };
/* When a process dies, the others follow within this time, and one may report why. */
static const int64_t GRACE = 1000000000;

static struct child workers[WORKERS];
static int own[2];		/* the emitter's own descriptors */

/*
 * Ends both and the program. If one of them has reported why, nothing is added; else the message
 * is how one was killed, or else `words` and errno.
 */
static _Noreturn void workers_blame(const char *words)
{
	const int64_t until = bench_clock() + GRACE;
	const int cause = errno;
	int status[WORKERS];

	close(own[0]);
	close(own[1]);
	for (int i = 0; i < WORKERS; i++)
		status[i] = child_end(&workers[i], until);
	for (int i = 0; i < WORKERS; i++)
		if (status[i] != CHILD_HUNG && WIFEXITED(status[i]) && WEXITSTATUS(status[i]) != 0
				&& WEXITSTATUS(status[i]) != LINE_ENDED)
			channel_leave(1);
	errno = 0;
	for (int i = 0; i < WORKERS; i++)
		if (status[i] != CHILD_HUNG && WIFSIGNALED(status[i]))
			bench_wrong("the %s was killed by signal %d", names[i], WTERMSIG(status[i]));
	errno = cause;
	bench_fail("%s", words);
}

/* Called once a second: ends the program if one of them has gone. */
static void workers_look(void)
{
	for (int i = 0; i < WORKERS; i++) {
		if (!child_ended(&workers[i]))
			continue;
		errno = 0;
		workers_blame("a line has ended in the middle of a session");
	}
}

/* Waits for the receiver, then ends the relay; both must have succeeded. */
static void workers_finish(void)
{
	if (child_wait(&workers[THE_RECEIVER]) == 0)
		kill(workers[RELAY].pid, SIGTERM);
	errno = 0;
	if (workers[THE_RECEIVER].status != 0 || child_wait(&workers[RELAY]) != 0)
		workers_blame("a line has ended before the pass");
}

static void start(int which, const int end[ENDS], const int control[2])
{
	if (!child_fork(&workers[which]))
		return;
	close(control[0]);
	if (which == RELAY) {
		close(control[1]);
		lines_keep(end, RELAY_IN, RELAY_OUT);
		relay(end[RELAY_IN], end[RELAY_OUT]);
	}
	lines_keep(end, RECEIVER, RECEIVER);
	receiver(end[RECEIVER], control[1]);
}

/* Starts both and keeps the emitter's end. Returns the descriptor for orders to the receiver. */
static int workers_start(const int end[ENDS])
{
	int control[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, control) == -1)
		bench_fail("cannot make a pair of sockets");
	/* A broken line must show as a failed write. */
	signal(SIGPIPE, SIG_IGN);
	start(RELAY, end, control);
	start(THE_RECEIVER, end, control);
	close(control[1]);
	lines_keep(end, EMITTER, EMITTER);
	own[0] = end[EMITTER];
	own[1] = control[0];
	return control[0];
}


static int64_t wall_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * SECOND_NS + t.tv_nsec;
}

/*
 * Returns how long the session took, and its answer in `text`. The end date is computed from the
 * monotonic clock, because the wall clock may be set meanwhile.
 */
static int64_t emit_session(int line, uint64_t sent, char text[ANSWER])
{
	const int64_t date = wall_clock(), start = bench_clock();
	struct answer answer = { .start = date / MS_NS, .iterations = SESSION };
	int64_t took;

	for (int i = 0; i < SESSION; i++) {
		struct movement m = movement_number(++sent);
		m.emitted = bench_clock();
		if (!bytes_write(line, &m, sizeof m))
			workers_blame("cannot write to the first line");
	}
	took = bench_clock() - start;
	answer.end = (date + took) / MS_NS;
	answer_write(&answer, text);
	if (!bytes_write(line, text, strlen(text)))
		workers_blame("cannot write to the first line");
	return took;
}

static void report(int control, struct order order)
{
	if (!bytes_write(control, &order, sizeof order))
		workers_blame("the receiver has gone");
}

static uint64_t hear(int control)
{
	uint64_t received;

	if (!bytes_take(control, &received, sizeof received))
		workers_blame("a line has ended in the middle of a session");
	return received;
}

static void measure(struct bench *b, int line, int control)
{
	static struct spread emission;
	uint64_t sent = 0, received;
	char answer[ANSWER];

	bench_start(b);
	bytes_look(workers_look);
	do {
		report(control, (struct order){ RECEIVE, b->start });
		spread_add(&emission, (uint64_t)emit_session(line, sent, answer));
		sent += SESSION;
		received = hear(control);
		errno = 0;
		if (received != sent)
			workers_blame("wrong result: the receiver has counted other movements");
	} while (bench_tick(b, received));
	report(control, (struct order){ END, b->now });
	workers_finish();
	bench_stop(b);
	/* This prints the last answer, which the receiver has found correct. */
	printf("%s", answer);
	channel_say("FIGURE|emission|%.9f|s", spread_at(&emission, 0.5) / (double)SECOND_NS);
	channel_say("FIGURE|emitted|%" PRIu64, sent);
	channel_say("FIGURE|sessions|%" PRIu64, emission.count);
}

int main(int argc, char **argv)
{
	const bool check = argc == 3 && strcmp(argv[1], "--check") == 0;
	struct bench b;
	int end[ENDS];

	if (check)
		bench_begin_for(&b, argv[0], "1", USAGE);
	else
		bench_begin(&b, argc, argv, USAGE);
	if (argc > 3)
		bench_usage();
	lines_open(argc == 3 ? argv[2] : "pty", end);
	if (check)
		return 0;
	b.unit = "mps";
	measure(&b, end[EMITTER], workers_start(end));
	bench_end(&b);
}
