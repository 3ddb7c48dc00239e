# SPDX-License-Identifier: GPL-2.0-or-later
# The programs of modern's group kernel run by hand: what they tell, that each proof notices work that was
# dropped, and what they do where a system forbids a call. A preloaded library makes calls fail or lose
# their work, and for what no library reaches, the source is changed.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use ByHand;
use NoWarnings;
use Programs;
use Sources ();

use constant { SECONDS => 0.03, PROBED => 123 };

my @NAMES = qw(fault fork64 signal events tcp);

delete @ENV{qw(TS_RESULT TS_READY TS_GATE TS_CPUS TS_SLICES TS_COPY TS_WARM)};

# A machine may lack what a program needs; all that is tested then is that it says so.
sub can_run {
    my ($program) = @_;
    my ($status, $err) = program($program, SECONDS);
    return 1 if $status != 77 << 8;
    like($err, qr/\ASKIP\|\S/, "$program cannot run here, and says why");
    return 0;
}
my @HERE = grep { can_run($_) } @NAMES;
my %here = map  { $_ => 1 } @HERE;

subtest 'each says a rate, and some by what means or of which page' => sub {
    my %also = (
        fault  => qr/^FIGURE\|page\|\d+\|each\n/m,
        events => qr/^HOW\|(?:epoll|kqueue|poll)\n/m,
        tcp    => qr/^HOW\|(?:epoll|kqueue|poll)\n/m
    );
    for my $program (@HERE) {
        my @got = program($program, SECONDS);
        is_result($program, @got);
        like($got[1], qr/^COUNT\|\d+\|1\|lps$/m,      "$program: a count per second");
        like($got[1], $also{$program} // qr/\ACOUNT/, "$program: what else it says");
    }
    for my $threads ($here{fault} ? (1, 3) : ()) {
        my @got = program('fault', SECONDS, $threads);
        is_result("fault in $threads threads", @got);
        like($got[1], $also{fault}, 'and the page');
    }
};

subtest 'what they cannot be told is a usage error' => sub {
    is_usage("$_ with an argument too many",    program($_, SECONDS, 1)) for grep { $_ ne 'fault' } @NAMES;
    is_usage("fault in '$_' threads",           program('fault', SECONDS, $_)) for 0, -1, 65_537, 'x', '';
    is_usage('fault with an argument too many', program('fault', SECONDS, 1, 1));
};

# FAULT has the name of what goes wrong and a number: the error of a call, or which call goes wrong.
my $LIBRARY = <<'C';
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define REAL(type, name, ...) ((type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))
enum { WORD = 8, REQUEST = 64, ANSWER = 1024, PART = 7 };

static int is(const char *name)
{
	const char *fault = getenv("FAULT");

	return fault && strncmp(fault, name, strlen(name)) == 0 && strchr(" ", fault[strlen(name)]) != NULL;
}

static int number_of(const char *name)
{
	return is(name) ? atoi(getenv("FAULT") + strlen(name)) : 0;
}

static int fails(const char *name)
{
	if (is(name))
		errno = number_of(name);
	return is(name);
}

static __attribute__((constructor)) void probe(void)
{
	if (is("probe"))
		_exit(123);
}

/* True for one call of a kind. */
static int once(const char *name)
{
	static int calls;

	return is(name) && ++calls == number_of(name);
}

int kill(pid_t process, int number)
{
	if (fails("kill"))
		return -1;
	return once("lost signal") ? 0 : REAL(int, kill, pid_t, int)(process, number);
}

int epoll_create1(int flags)
{
	return fails("create") ? -1 : REAL(int, epoll_create1, int)(flags);
}

int epoll_ctl(int fd, int what, int other, struct epoll_event *event)
{
	return fails("control") ? -1 : REAL(int, epoll_ctl, int, int, int, struct epoll_event *)(fd, what, other, event);
}

int epoll_wait(int fd, struct epoll_event *event, int most, int ms)
{
	if (fails("wait") || fails("all"))
		return -1;
	if (once("interrupted"))
		return errno = EINTR, -1;
	if (once("broken wait"))
		return errno = EBADF, -1;
	return REAL(int, epoll_wait, int, struct epoll_event *, int, int)(fd, event, most, ms);
}

int poll(struct pollfd *list, nfds_t count, int ms)
{
	return fails("all") ? -1 : REAL(int, poll, struct pollfd *, nfds_t, int)(list, count, ms);
}

/* A byte is a token of events, a word the sum of a child of fork64. */
ssize_t write(int fd, const void *from, size_t size)
{
	const unsigned char other = 9;
	uint64_t sum = 0;

	if (fd > STDERR_FILENO && size == 1 && once("lost token"))
		return 1;
	if (fd > STDERR_FILENO && size == 1 && once("other token"))
		from = &other;
	if (fd > STDERR_FILENO && size == WORD && is("other sum"))
		from = &sum;
	return REAL(ssize_t, write, int, const void *, size_t)(fd, from, size);
}

int socket(int domain, int type, int protocol)
{
	return fails("socket") ? -1 : REAL(int, socket, int, int, int)(domain, type, protocol);
}

int bind(int fd, const struct sockaddr *address, socklen_t size)
{
	if (is("tell"))
		fprintf(stderr, "bind %s\n", inet_ntoa(((const struct sockaddr_in *)address)->sin_addr));
	return fails("bind") ? -1 : REAL(int, bind, int, const struct sockaddr *, socklen_t)(fd, address, size);
}

static int listening = -1;

int listen(int fd, int most)
{
	if (is("tell"))
		fprintf(stderr, "listen\n");
	listening = fd;
	return REAL(int, listen, int, int)(fd, most);
}

int close(int fd)
{
	if (is("tell") && fd == listening)
		fprintf(stderr, "close\n");
	return REAL(int, close, int)(fd);
}

int connect(int fd, const struct sockaddr *address, socklen_t size)
{
	if (once("stranger"))
		connect(socket(AF_INET, SOCK_STREAM, 0), address, size);
	return fails("connect") ? -1 : REAL(int, connect, int, const struct sockaddr *, socklen_t)(fd, address, size);
}

/* A message with another number at its beginning or at its end, or one that comes in two parts. */
ssize_t send(int fd, const void *from, size_t size, int flags)
{
	uint64_t words[ANSWER / WORD];

	if (is("tell") && size == REQUEST && once("tell"))
		fprintf(stderr, "request\n");
	if (size <= sizeof words)
		memcpy(words, from, size);
	if (size == ANSWER && once("answer's beginning"))
		return words[0]++, REAL(ssize_t, send, int, const void *, size_t, int)(fd, words, size, flags);
	if (size == ANSWER && once("answer's end"))
		return words[ANSWER / WORD - 1]--, REAL(ssize_t, send, int, const void *, size_t, int)(fd, words, size, flags);
	if (size == REQUEST && once("request"))
		return words[0]++, REAL(ssize_t, send, int, const void *, size_t, int)(fd, words, size, flags);
	if (is("in parts") && size > PART)
		size = PART;
	return REAL(ssize_t, send, int, const void *, size_t, int)(fd, from, size, flags);
}

int getrusage(__rusage_who_t who, struct rusage *used)
{
	const int status = REAL(int, getrusage, int, struct rusage *)((int)who, used);

	if (is("no faults"))
		used->ru_minflt = 0;
	return status;
}

int madvise(void *map, size_t size, int advice)
{
	return fails("advice") ? -1 : REAL(int, madvise, void *, size_t, int)(map, size, advice);
}

pid_t fork(void)
{
	return fails("fork") ? -1 : REAL(pid_t, fork, void)();
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t from)
{
	if (is("shared") && fd == -1)
		flags = (flags & ~MAP_PRIVATE) | MAP_SHARED;
	return REAL(void *, mmap, void *, size_t, int, int, int, off_t)(at, size, protection, flags, fd, from);
}
C

sub with_fault {
    my ($fault, $program, @arguments) = @_;
    local @ENV{qw(FAULT LD_PRELOAD)} = ($fault, "$work/fault.so");
    return program($program, @arguments ? @arguments : SECONDS);
}

sub can_preload {
    Sources::spew("$work/fault.c", $LIBRARY);
    my ($status) =
        run(Programs::compiler(), '-std=gnu11', '-shared', '-fPIC', '-o', "$work/fault.so", "$work/fault.c",
        '-ldl');
    return $status == 0 && (with_fault('probe', 'signal'))[0] == PROBED << 8;
}
my $preload = can_preload();

# Returns the errors of this system, by name.
sub number_of { my ($name) = @_; return POSIX->can($name)->() }

# Each row is [program, fault, pattern of the message].
my @FAULTS = (
    [ 'signal', 'lost signal 1', '\d+ signals were sent, and \d+ handled' ],
    [ 'signal', 'kill EPERM',    'cannot send a signal: Operation not permitted' ],
    [ 'fork64', 'other sum',     q(a child's sum is 0, not \d+) ],
    [ 'fork64', 'shared', q(a child(?:'s sum is \d+, not \d+| changed the memory of its parent at \d+)) ],
    [ 'fork64', 'fork EAGAIN',           'cannot make a process: Resource temporarily unavailable' ],
    [ 'events', 'lost token 9',          'token \d is not in pipe \d+, where its moves end' ],
    [ 'events', 'other token 9',         'pipe \d+ held 9, which is not a token' ],
    [ 'events', 'broken wait 2',         'cannot wait with epoll: Bad file descriptor' ],
    [ 'events', 'create EMFILE',         'cannot wait with epoll: Too many open files' ],
    [ 'events', 'all ENOSYS',            'cannot wait with poll: Function not implemented' ],
    [ 'tcp',    q(answer's beginning 1), 'the answer to request (\d+) has the numbers \d+ and \d+' ],
    [ 'tcp',    q(answer's end 1),       'the answer to request (\d+) has the numbers \d+ and \d+' ],
    [ 'tcp',    'request 1',             'request 2 came instead of 1' ],
    [ 'tcp',    'broken wait 2',         'cannot wait with epoll: Bad file descriptor' ],
    [ 'tcp',    'create EMFILE',         'cannot wait with epoll: Too many open files' ],
    [ 'tcp',    'socket EMFILE',         'cannot make a socket: Too many open files' ],
);

sub fault_with_number {
    my ($fault) = @_;
    return $fault =~ s/ (E[A-Z]+)\z/' ' . number_of($1)/er;
}

subtest 'work that was dropped or fails is no result' => sub {
    plan skip_all => 'no library can be preloaded here' if !$preload;
    for my $case (grep { $here{ $_->[0] } } @FAULTS) {
        my ($program, $fault, $says) = @$case;
        is_error("$program: $fault", $says, with_fault(fault_with_number($fault), $program));
    }
};

subtest 'where epoll is forbidden, or a part of it, poll does its work' => sub {
    plan skip_all => 'no library can be preloaded here' if !$preload;
    for my $program (grep { $here{$_} } qw(events tcp)) {
        for my $fault ('create ENOSYS', 'create EPERM', 'create EACCES', 'control EPERM', 'wait ENOSYS') {
            my @got = with_fault(fault_with_number($fault), $program);
            is_result("$program: $fault", @got);
            like($got[1], qr/^HOW\|poll$/m, "$program: $fault: and it says so");
        }
    }
};

subtest 'some faults are none' => sub {
    plan skip_all => 'no library can be preloaded here' if !$preload;
    my @cases = (
        [ 'events', 'interrupted 2' ],
        [ 'tcp',    'interrupted 2' ],
        [ 'tcp',    'in parts' ],
        [ 'tcp',    'stranger 1' ],
        [ 'fault',  'advice EINVAL' ],
        [ 'fork64', 'advice EINVAL' ]
    );
    is_result("$_->[0]: $_->[1]", with_fault(fault_with_number($_->[1]), $_->[0]))
        for grep { $here{ $_->[0] } } @cases;
};

# Tests that a program cannot run here, and says why.
sub is_skipped {
    my ($what, $says, $status, $err) = @_;
    is($status, 77 << 8, "$what: exit 77");
    like($err, qr/\ASKIP\|$says\n\z/, "$what: one line says why");
    return;
}

subtest 'what a system lacks is the reason of a skip' => sub {
    plan skip_all => 'no library can be preloaded here' if !$preload;
    is_skipped(
        'no count',
        'this system counts 0 page faults for 4096 pages',
        with_fault('no faults', 'fault')
    );
    my @lacks = (
        [ 'socket EPERM',        'cannot make a socket: Operation not permitted' ],
        [ 'socket EAFNOSUPPORT', 'cannot make a socket: Address family not supported by protocol' ],
        [ 'bind EADDRNOTAVAIL',  'cannot have the address 127\.0\.0\.1: Cannot assign requested address' ],
        [ 'connect ENETUNREACH', 'cannot connect to 127\.0\.0\.1: Network is unreachable' ],
        [ 'connect EINPROGRESS', 'cannot connect to 127\.0\.0\.1: Operation now in progress' ]
    );
    is_skipped($_->[0], $_->[1], with_fault(fault_with_number($_->[0]), 'tcp')) for $here{tcp} ? @lacks : ();
};

subtest 'tcp is skipped where the loopback is down' => sub {
    my @apart = ('unshare', '-rn');
    my ($status) = run(@apart, 'true');
    plan skip_all => 'no network of its own can be made here' if $status != 0 || !$here{tcp};
    is_skipped(
        'down',
        'cannot (?:connect to|have the address) 127\.0\.0\.1: \S.*',
        run(@apart, Programs::path('tcp'), SECONDS)
    );
};

subtest 'tcp listens on 127.0.0.1 alone, and no longer when it measures' => sub {
    plan skip_all => 'no library can be preloaded here' if !$preload || !$here{tcp};
    my (undef, $err) = with_fault('tell 1', 'tcp');
    is(
        join(' ', $err =~ /^(bind .*|listen|close|request)$/mg),
        'bind 127.0.0.1 listen close request',
        'in this order, each once'
    );
};

# Each row is [program, file, text of it, replacement, pattern of the message].
my @CHANGES = (
    [
        'fault', 'fault.c',
        "touch_next(struct place *p)\n{\n",
        "touch_next(struct place *p)\n{\n\tstatic int calls;\n\n\tif (++calls > PAGES)\n\t\treturn;\n",
        '\d+ pages were touched, with \d+ page faults'
    ],
    [ 'signal', 'signal.c', 'handled++;', 'handled += 2;', '\d+ signals were sent, and \d+ handled' ],
    [
        'fork64',
        'fork64.c',
        "size_t at = 0; at < BYTES; at += APART)\n\t\t*word_at(at) += number",
        "size_t at = APART; at < BYTES; at += APART)\n\t\t*word_at(at) += number",
        q(a child's sum is \d+, not \d+)
    ],
    [
        'fork64', 'fork64.c', 'number++;',
        '*word_at(PAGE) += ++number;',
        'a child changed the memory of its parent at 4096'
    ],
    [
        'fork64', 'fork64.c',
        'sizeof sum ? 0 : 1',
        'sizeof sum ? 2 : 1',
        'a process ended with wait status 512 instead of 0'
    ],
    [
        'events', 'events.c', 'moves[token]++;',
        'moves[token] += 2;',
        'token \d is not in pipe \d+, where its moves end'
    ],
    [
        'events', 'events.c', 'int token;',
        "int token;\n\n\t\tcontinue;",
        'the tokens moved 0 times in \d+ operations'
    ],
    [
        'tcp',      'tcp.c', 'reply[0] = reply[LAST]',
        'reply[0]', 'the answer to request 1 has the numbers 2 and 0'
    ],
    [ 'tcp', 'tcp.c', 's->served++;', '', '0 requests were answered, of \d+' ],
);

# Builds a program with another text, and returns what it says.
sub changed {
    my ($program, $file, $from, $to) = @_;
    my $source   = "$Sources::dir/src/modern/$file";
    my $original = slurp($source);
    (my $text = $original) =~ s/\Q$from\E/$to/ or fail("'$from' is in $file");
    Sources::spew($source, $text);
    my ($status, undef, $err) = Sources::build($program);
    is("$status$err", '0', "$program: built with '$to'");
    my @got =
        map { [ run("$Sources::dir/pgms/$program", SECONDS, @$_) ] } $program eq 'fault' ? ([], [2]) : [];
    Sources::spew($source, $original);
    return @got;
}

subtest 'work that is not done is no result' => sub {
    plan skip_all => 'there is no make'
        if system('command -v gmake >/dev/null 2>&1 || command -v make >/dev/null 2>&1') != 0;
    for my $change (grep { $here{ $_->[0] } } @CHANGES) {
        my $says = pop @$change;
        is_error("$change->[0] with '$change->[3]'", "wrong result: $says", @$_) for changed(@$change);
    }
};

done_testing;
