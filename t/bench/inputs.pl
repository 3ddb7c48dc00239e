#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the cost of the program inputs with bare loops of read and write over the same lines: CPU seconds
# of 1,000 movements, for all three processes together. The two run in turn. The ratio is the median of the
# ratios of neighbouring runs, because other work of the machine changes within a minute by more than the
# target. A movement takes about 200 of the program's own instructions (callgrind).
#
#   pty       inputs 0.003021 s, bare loops 0.002825 s, ratio 1.063 (1.027 to 1.087)   target at most 1.05   cannot tell
#   sockets   inputs 0.003249 s, bare loops 0.003109 s, ratio 1.039 (0.995 to 1.072)   target at most 1.05   ok
use 5.014;
use strict;
use warnings;

use File::Temp ();
use lib 't/lib';
use Ratios;
use Touchstone::Stats;

use constant { RUNS => 81, SECONDS => 0.5, THOUSAND => 1000, MOST => 1.05 };

# Prints sessions, and CPU seconds of all three processes.
my $BARE = <<'C';
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { RECORD = 24, THOUSAND = 1000, ANSWER = 80, SESSION = THOUSAND * RECORD + ANSWER, ROOM = 4096 };

static double cpu(int whose)
{
	struct rusage r;

	getrusage(whose, &r);
	return r.ru_utime.tv_sec + r.ru_stime.tv_sec + (r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1e6;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static int pty(int line[2])
{
	struct termios t;

	line[1] = posix_openpt(O_RDWR | O_NOCTTY);
	if (line[1] == -1 || grantpt(line[1]) || unlockpt(line[1]))
		return -1;
	line[0] = open(ptsname(line[1]), O_RDWR | O_NOCTTY);
	if (line[0] == -1 || tcgetattr(line[0], &t))
		return -1;
	t.c_iflag = t.c_oflag = t.c_lflag = 0;
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	return tcsetattr(line[0], TCSANOW, &t);
}

static int make(const char *what, int line[2])
{
	return strcmp(what, "pty") == 0 ? pty(line) : socketpair(AF_UNIX, SOCK_STREAM, 0, line);
}

static void relay(int in, int out)
{
	char octets[ROOM];
	ssize_t n;

	while ((n = read(in, octets, sizeof octets)) > 0)
		if (write(out, octets, n) != n)
			_exit(1);
	_exit(n == 0 || errno == EIO ? 0 : 1);
}

static void receive(int in, int control)
{
	char octets[ROOM], order[16];
	ssize_t n;

	while (read(control, order, sizeof order) == sizeof order) {
		for (long all = 0; all < SESSION; all += n)
			if ((n = read(in, octets, sizeof octets)) <= 0)
				_exit(1);
		if (write(control, octets, 8) != 8)
			_exit(1);
	}
	_exit(0);
}

static long emit(int out, int control, double stop)
{
	char record[RECORD] = "movement", answer[ANSWER] = "answer", order[16] = "order", ack[8];
	long sessions = 0;

	do {
		if (write(control, order, sizeof order) != sizeof order)
			return 0;
		for (int i = 0; i < THOUSAND; i++)
			if (write(out, record, sizeof record) != sizeof record)
				return 0;
		if (write(out, answer, sizeof answer) != sizeof answer || read(control, ack, sizeof ack) != sizeof ack)
			return 0;
		sessions++;
	} while (now() < stop);
	return sessions;
}

int main(int argc, char **argv)
{
	int first[2], second[2], control[2], status = 0, both = 0;
	long sessions;
	double before;

	if (argc != 3 || make(argv[2], first) || make(argv[2], second) || socketpair(AF_UNIX, SOCK_STREAM, 0, control))
		return 1;
	if (fork() == 0) {
		close(first[0]), close(second[1]), close(control[0]), close(control[1]);
		relay(first[1], second[0]);
	}
	if (fork() == 0) {
		close(first[0]), close(first[1]), close(second[0]), close(control[0]);
		receive(second[1], control[1]);
	}
	close(first[1]), close(second[0]), close(second[1]), close(control[1]);
	before = cpu(RUSAGE_SELF);
	sessions = emit(first[0], control[0], now() + atof(argv[1]));
	close(control[0]), close(first[0]);
	while (wait(&status) > 0)
		both |= status;
	printf("%ld %.6f\n", sessions, cpu(RUSAGE_SELF) - before + cpu(RUSAGE_CHILDREN));
	return both || sessions == 0;
}
C

my $work = File::Temp->newdir;

sub build_bare {
    open my $out, '>', "$work/bare.c" or die "cannot write: $!\n";
    print {$out} $BARE;
    close $out                                                      or die "cannot write: $!\n";
    system("cc -std=gnu11 -O2 -o '$work/bare' '$work/bare.c'") == 0 or die "the bare loops cannot be built\n";
    return;
}

# Both return CPU seconds of 1,000 movements.
sub inputs {
    my ($what)  = @_;
    my $text    = `pgms/inputs @{[SECONDS]} $what 2>&1`;
    my ($count) = $text =~ /^COUNT\|(\d+)\|1\|mps$/m or die "inputs says: $text";
    my ($user, $sys) = $text =~ /^CPU\|(\S+)\|(\S+)$/m or die "inputs says: $text";
    return ($user + $sys) / ($count / THOUSAND);
}

sub bare {
    my ($what) = @_;
    my ($sessions, $cpu) = split ' ', `'$work/bare' @{[SECONDS]} $what`;
    $? == 0 && $sessions or die "the bare loops have failed\n";
    return $cpu / $sessions;
}

# Returns whether the target was met.
sub compared {
    my ($what) = @_;
    if (system("pgms/inputs --check $what 2>/dev/null") != 0) {
        printf "%-9s skipped: there are none here\n", $what;
        return 1;
    }
    my (@inputs, @bare);
    for my $run (1 .. RUNS) {
        push @inputs, inputs($what);
        push @bare,   bare($what);
    }
    my ($inputs, $bare) = map { Touchstone::Stats::median(@$_) } \@inputs, \@bare;
    my ($ratio, $verdict) = Ratios::told(\@inputs, \@bare, 0, MOST);
    printf "%-9s inputs %.6f s, bare loops %.6f s, ratio %s   target at most %.2f   %s\n", $what, $inputs,
        $bare, $ratio, MOST, $verdict;
    return $verdict ne 'MISSED';
}

if (system('command -v cc >/dev/null 2>&1') != 0) {
    print "skipped: there is no cc for the bare loops\n";
    exit 0;
}
build_bare();
my $missed = grep { !compared($_) } qw(pty sockets);
exit($missed ? 1 : 0);
