#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the rate of the program hash in memory with that of openssl speed with the same libcrypto. The
# three runs take turns; the medians of the rates are shown, and those of the ratios in each turn. On a
# shared processor, elapsed times could have any ratio, but openssl counts its user time, so hash is built
# here to use the same clock for libcrypto. openssl starts and ends a digest for every block, which takes a
# few per cent of 16 KB where the processor has SHA instructions; a run with blocks of 1 MB shows how much.
#
#   hash with OpenSSL 3.0.22 25 Aug 2026; OpenSSL 3.0.22 25 Aug 2026 (Library: OpenSSL 3.0.22 25 Aug 2026)
#   md5     in memory   645.0 MBps   openssl, 16 KB   645.5, ratio 0.999 (0.993 to 1.006)   1 MB   654.3, ratio 0.989 (0.970 to 0.995)   target within 3 % of 16 KB   ok
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Touchstone::Machine::Command;
use lib 't/lib';
use Ratios;
use Touchstone::Stats;

use constant {
    ROUNDS  => 15,
    BYTES   => 100_000_000,
    SECONDS => 1,
    SMALL   => 16384,
    LARGE   => 1048576,
    MOST    => 0.03
};

# The program calls this clock for libcrypto only; the harness keeps its own.
my $CLOCK = <<'C';
#include <stdint.h>
#include <sys/resource.h>

int64_t user_clock(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return (int64_t)used.ru_utime.tv_sec * 1000000000 + (int64_t)used.ru_utime.tv_usec * 1000;
}
C

my $work = File::Temp->newdir;

sub build {
    open my $out, '>', "$work/clock.c" or die "cannot write: $!\n";
    print {$out} $CLOCK;
    close $out or die "cannot write: $!\n";
    my $cc = 'cc -std=gnu11 -D_POSIX_C_SOURCE=200809L -DWITH_LIBCRYPTO -O2 -Isrc';
    system(
        "$cc -Dbench_clock=user_clock -c -o '$work/hash.o' src/platform/hash.c && $cc -o '$work/hash' '$work/hash.o' '$work/clock.c' "
            . 'src/platform/hash/*.c src/platform/shared/*.c src/*.c -lcrypto') == 0
        or die "hash cannot be built\n";
    return;
}

# Returns MBps of one run. libcrypto in memory gets a third of the program's seconds.
sub in_memory {
    my ($algorithm) = @_;
    my $text        = `cd '$work' && ./hash @{[ 3 * SECONDS ]} $algorithm . @{[BYTES]} 2>&1`;
    my ($rate)      = $text =~ /^FIGURE\|memory\|(\S+)\|MBps$/m or die "hash says: $text";
    return $rate;
}

sub speed {
    my ($algorithm, $block) = @_;
    my $text = `openssl speed -evp $algorithm -bytes $block -seconds @{[SECONDS]} -mr 2>/dev/null`;
    my ($rate) = $text =~ /^\+F:\d+:\Q$algorithm\E:(\d+(?:\.\d+)?)$/mi or die "openssl says: $text";
    return $rate / 1e6;
}

# Returns whether the ratio of the medians is near enough to 1.
sub compared {
    my ($algorithm) = @_;
    my @runs = (
        sub { in_memory($algorithm) },
        map {
            my $block = $_;
            sub { speed($algorithm, $block) }
        } SMALL,
        LARGE
    );
    my @rates;
    for my $round (1 .. ROUNDS) {
        push @{ $rates[$_] }, $runs[$_]->() for map { ($_ + $round) % @runs } 0 .. $#runs;
    }
    my ($hash, $small, $large) = map { Touchstone::Stats::median(@$_) } @rates;

    # Ratios are formed in each round, because the runs of a round have more in common than the medians of
    # all.
    my ($ratio, $verdict) = Ratios::told(@rates[ 0, 1 ], 1 - MOST, 1 + MOST);
    my ($of_large) = Ratios::told(@rates[ 0, 2 ], 1 - MOST, 1 + MOST);
    printf
        "%-6s  in memory %7.1f MBps   openssl, 16 KB %7.1f, ratio %s   1 MB %7.1f, ratio %s   target within %.0f %% of 16 KB   %s\n",
        $algorithm, $hash, $small, $ratio, $large, $of_large, 100 * MOST, $verdict;
    return $verdict ne 'MISSED';
}

sub skip { print "skipped: $_[0]\n"; exit 0 }

skip('there is no openssl (Debian package openssl)')
    if !defined Touchstone::Machine::Command::find('openssl');
my ($library) = `pgms/hash --facts` =~ /^libcrypto=(.*)$/m;
skip('hash is built without libcrypto (Debian package libssl-dev)') if $library eq 'none';
build();
print "hash with $library; ", `openssl version`;
exit(3 == grep({ compared($_) } qw(md5 sha256 sha512)) ? 0 : 1);
