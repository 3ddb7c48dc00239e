#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the cost of the program net with a bare loop of write and read: CPU seconds per MiB over loopback,
# of both ends together. The two run in turn, and the medians are compared. On shared processors both are
# noisy, and the ratio says more than its parts.
#
#   net tcp     0.000704 s a MiB   (sender 0.000223, receiver 0.000486)
#   bare loop   0.000693 s a MiB   (sender 0.000203, receiver 0.000476)
#   ratio       1.016   target at most 1.05   ok
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Touchstone::Stats;

use constant { RUNS => 15, SECONDS => 1, BLOCK => 8192, MIB => 1048576, MOST => 1.05 };

# Prints MiB, and CPU seconds of the sender and of the receiver.
my $BARE = <<'C';
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 8192 };

static double seconds(struct timeval t) { return t.tv_sec + t.tv_usec / 1e6; }

static double cpu(int whose)
{
	struct rusage r;

	getrusage(whose, &r);
	return seconds(r.ru_utime) + seconds(r.ru_stime);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static int take(int fd)
{
	static char in[BLOCK];
	ssize_t n;

	while ((n = read(fd, in, BLOCK)) > 0)
		continue;
	return n == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
	static char block[BLOCK];
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t size = sizeof a;
	const int listener = socket(AF_INET, SOCK_STREAM, 0), out = socket(AF_INET, SOCK_STREAM, 0);
	const double stop = now() + (argc == 2 ? atof(argv[1]) : 0);
	long blocks = 0;
	int in, status;

	memset(block, 'b', BLOCK);
	if (bind(listener, (struct sockaddr *)&a, size) || listen(listener, 1) || getsockname(listener, (struct sockaddr *)&a, &size)
			|| connect(out, (struct sockaddr *)&a, size) || (in = accept(listener, NULL, NULL)) == -1)
		return 1;
	if (fork() == 0) {
		close(out);
		_exit(take(in));
	}
	close(in);
	do {
		for (int i = 0; i < 1024; i++, blocks++)
			if (write(out, block, BLOCK) != BLOCK)
				return 1;
	} while (now() < stop);
	close(out);
	wait(&status);
	printf("%.3f %.6f %.6f\n", blocks * (double)BLOCK / 1048576, cpu(RUSAGE_SELF), cpu(RUSAGE_CHILDREN));
	return status;
}
C

my $work = File::Temp->newdir;

sub build_bare {
    open my $out, '>', "$work/bare.c" or die "cannot write: $!\n";
    print {$out} $BARE;
    close $out                                                      or die "cannot write: $!\n";
    system("cc -std=gnu11 -O2 -o '$work/bare' '$work/bare.c'") == 0 or die "the bare loop cannot be built\n";
    return;
}

# Both return CPU seconds per MiB: [sender, receiver].
sub net {
    my $text     = `pgms/net @{[SECONDS]} tcp 2>&1`;
    my ($blocks) = $text =~ /^FIGURE\|calls\|(\d+)/m or die "net says: $text";
    my %cpu      = $text =~ /^FIGURE\|(sender|receiver)_cpu\|(\S+)/mg;
    return [ map { $cpu{$_} / ($blocks * BLOCK / MIB) } qw(sender receiver) ];
}

sub bare {
    my ($mib, @cpu) = split ' ', `'$work/bare' @{[SECONDS]}`;
    $? == 0 && $mib or die "the bare loop has failed\n";
    return [ map { $_ / $mib } @cpu ];
}

# Returns the median of both ends together, and prints it with those of each.
sub told {
    my ($name, @runs) = @_;
    my @both   = map { $_->[0] + $_->[1] } @runs;
    my $median = Touchstone::Stats::median(@both);
    printf "%-9s   %.6f s a MiB   (sender %.6f, receiver %.6f)\n", $name, $median, map {
        my $i = $_;
        Touchstone::Stats::median(map { $_->[$i] } @runs)
    } 0, 1;
    return $median;
}

build_bare();
my (@net, @bare);
for my $run (1 .. RUNS) {
    push @net,  net();
    push @bare, bare();
}
my $ratio = told('net tcp', @net) / told('bare loop', @bare);
printf "%-9s   %.3f   target at most %.2f   %s\n", 'ratio', $ratio, MOST, $ratio <= MOST ? 'ok' : 'MISSED';
exit($ratio <= MOST ? 0 : 1);
