#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the programs memcpy and zstd with others on the same input, 1,048,000 incompressible bytes: a bare
# loop of the C library's memcpy, a bare loop of libzstd's functions, and `zstd -b`. The two run in turn, in
# alternating order, and the ratio is the median of the ratios of neighbouring runs, with its 95 % interval:
# the speed of a shared processor changes by more than the target within seconds. A result that could be on
# either side of the target is reported as such. Rates are for a second of CPU time, since each run had
# another share of a processor. The fastest pass is not corrected if a pass is too short to be interrupted.
# Part of the output:
# what it prints:
#
#   memcpy, fastest        38757 MB/s (30400 .. 42163)      bare loop   38785 MB/s (28604 .. 40845)      ratio 1.003 (0.990 to 1.010)   ok
#   zstd 1, fastest         2416 MB/s (1853 .. 2453)        bare loop    2419 MB/s (1690 .. 2451)        ratio 1.001 (0.992 to 1.007)   ok
#   zstd 3                  1553 MB/s (1259 .. 2064)        zstd -b3     1507 MB/s (1302 .. 1964)        ratio 1.010 (0.961 to 1.081)   ok
use 5.014;
use strict;
use warnings;

use Digest::SHA qw(sha512);
use File::Temp ();
use List::Util qw(min max);
use lib 't/lib';
use Ratios;
use Touchstone::Record::Channel;
use Time::HiRes qw(time);
use Touchstone::Stats;

# A third of the seconds is for the first direction, which is as long as `zstd -b -i1` takes for each.
use constant { COPIES => 41, COPY_SECONDS => 0.45, BLOCKS => 16_375, MOST => 0.03 };

# Each row is level, rounds, seconds of both directions.
my @LEVELS = ([ 1, 31, 3 ], [ 3, 31, 3 ], [ 19, 15, 3 ]);

# On these levels a pass takes a millisecond or less.
my %SHORT = map { $_ => 1 } 1, 3;

# The arguments are seconds of both directions, file, and a level, or nothing for memcpy. It prints MB/s:
# rate, fastest, rate back, fastest back.
my $BARE = <<'C';
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static unsigned char *in, *other, *again;
static size_t size, room, written;

#ifdef WITH_ZSTD
#include <zstd.h>

static ZSTD_CCtx *packer;
static ZSTD_DCtx *unpacker;

static void open_all(const char *level)
{
	packer = ZSTD_createCCtx();
	unpacker = ZSTD_createDCtx();
	room = ZSTD_compressBound(size);
	ZSTD_CCtx_setParameter(packer, ZSTD_c_compressionLevel, atoi(level));
}

static void there(void) { written = ZSTD_compress2(packer, other, room, in, size); }
static void back(void) { ZSTD_decompressDCtx(unpacker, again, size, other, written); }
#else
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;

static void open_all(const char *level) { (void)level; room = size; }
static void there(void) { copy(other, in, size); }
static void back(void) { copy(again, other, size); }
#endif

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void measure(void (*pass)(void), double seconds)
{
	const double start = now();
	double before, after, fastest = 1e9;
	long n = 0;

	do {
		before = now();
		pass();
		after = now();
		fastest = after - before < fastest ? after - before : fastest;
		n++;
	} while (after < start + seconds);
	printf("%.6f %.6f ", n * (size / 1e6) / (after - start), size / 1e6 / fastest);
}

int main(int argc, char **argv)
{
	FILE *file = argc > 2 ? fopen(argv[2], "rb") : NULL;

	if (!file || fseek(file, 0, SEEK_END) || (size = (size_t)ftell(file)) == 0 || fseek(file, 0, SEEK_SET))
		return 1;
	in = malloc(size);
	if (!in || fread(in, 1, size, file) != size)
		return 1;
	open_all(argc > 3 ? argv[3] : "");
	other = malloc(room);
	again = malloc(size);
	if (!other || !again)
		return 1;
	memset(other, 1, room);
	memset(again, 1, size);
	measure(there, atof(argv[1]) / 3);
	measure(back, atof(argv[1]) * 2 / 3);
	return memcmp(in, again, size) != 0;
}
C

my $work   = File::Temp->newdir;
my $input  = "$work/input";
my $missed = 0;

sub put {
    my ($file, $text) = @_;
    open my $out, '>:raw', $file or die "cannot write '$file': $!\n";
    print {$out} $text;
    close $out or die "cannot write '$file': $!\n";
    return;
}

# Returns what a command prints, and its share of a processor.
sub answer {
    my (@command) = @_;
    my ($began, @before) = (time, times);
    open my $from, '-|', 'sh', '-c', 'exec "$@" 2>&1', 'sh', @command or die "cannot run '$command[0]': $!\n";
    my $text = do { local $/; <$from> };
    close $from or die "'@command' has failed: $text";
    my @after = times;
    return ($text, ($after[2] + $after[3] - $before[2] - $before[3]) / (time - $began));
}

sub build_bare {
    my ($name, @words) = @_;
    return system("cc -std=gnu11 -O2 -o '$work/$name' '$work/bare.c' @words") == 0;
}

# Returns MB/s: { rate, fastest, back, fastest_back }.
sub figures {
    my ($share, %mbps) = @_;
    return { %mbps, rate => $mbps{rate} / $share, back => $mbps{back} / $share };
}

sub ours {
    my ($text, $share) = answer(@_);
    my $got     = Touchstone::Record::Channel::parse($text);
    my $figures = $got->{figures};
    return figures(
        $share,
        rate         => $got->{count},
        fastest      => $figures->{fastest},
        back         => $figures->{decompress},
        fastest_back => $figures->{'decompress-fastest'}
    );
}

sub bare {
    my ($text, $share) = answer(@_);
    my %got;
    @got{qw(rate fastest back fastest_back)} = split ' ', $text;
    return figures($share, %got);
}

# Runs zstd without threads. It reports no fastest pass, only the mean of a second.
sub command {
    my ($level) = @_;
    my ($text, $share) = answer('zstd', '-q', "-b$level", '-i1', '--single-thread', $input);
    my ($rate, $back)  = $text =~ m{\) +([\d.]+) MB/s +([\d.]+) MB/s} or die "zstd says: $text";
    return figures($share, rate => $rate, back => $back);
}

sub speed { my ($value) = @_; return sprintf $value < 100 ? '%.2f' : '%.0f', $value }

sub told {
    my (@values) = @_;
    return sprintf '%7s MB/s (%s .. %s)', map { speed($_) } Touchstone::Stats::median(@values), min(@values),
        max(@values);
}

# Compares one figure of two that ran in turn. Only the first direction has a target; the other is for
# information.
sub compare {
    my ($title, $figure, $ours, $other, $name) = @_;
    my @mine  = map { $_->{$figure} } @$ours;
    my @their = map { $_->{$figure} } @$other;
    my ($ratio, $verdict) = Ratios::told(\@mine, \@their, 1 - MOST, 1 + MOST);
    $verdict = '' if $figure =~ /back/;
    $missed++ if $verdict eq 'MISSED';
    printf "%-20s %-32s   %-9s %-32s   ratio %s   %s\n", $title, told(@mine), $name, told(@their), $ratio,
        $verdict;
    return;
}

sub compare_memcpy {
    build_bare('copy') or die "the bare loop cannot be built\n";
    my (@ours, @bare);
    for (1 .. COPIES) {
        push @ours, ours('pgms/memcpy', COPY_SECONDS, $input);
        push @bare, bare("$work/copy", COPY_SECONDS, $input);
    }
    compare('memcpy, fastest',      'fastest',      \@ours, \@bare, 'bare loop');
    compare('memcpy back, fastest', 'fastest_back', \@ours, \@bare, 'bare loop');
    return;
}

# Returns whether the command uses the same version as the library, and prints both.
sub same_library {
    my ($mine) = (answer('pgms/zstd', '--facts'))[0] =~ /zstd (\S+)/;
    my ($path) = grep { -x } map { "$_/zstd" } split /:/, $ENV{PATH};
    if (!defined $path) {
        print "libzstd $mine is measured; skipped: the command zstd is not here (package zstd)\n";
        return 0;
    }
    my ($its) = (answer('zstd', '--version'))[0] =~ /v(\d+\.\d+\.\d+)/;
    my $where =
        `ldd '$path' 2>/dev/null` =~ /libzstd/ ? 'uses the same file' : 'has a library of its own in it';
    printf "libzstd %s is measured; the command zstd is %s, and %s%s\n", $mine, $its // 'unknown', $where,
        $mine eq ($its // '') ? '' : ': skipped, for it is another version';
    return $mine eq ($its // '');
}

sub compare_zstd {
    if (!-x 'pgms/zstd') { print "zstd: skipped, it is not built (package libzstd-dev)\n"; return }
    build_bare('zstd', '-DWITH_ZSTD', '-lzstd') or die "the bare loop cannot be built\n";
    my $command = same_library();
    for my $row (@LEVELS) {
        my ($level, $rounds, $seconds) = @$row;
        my (@ours, @bare, @command);
        my @each = (
            sub { push @ours, ours('pgms/zstd', $seconds, $level, $input) },
            $command ? sub { push @command, command($level) } : (),
            sub { push @bare, bare("$work/zstd", $seconds, $input, $level) }
        );
        for my $round (1 .. $rounds) { $_->() for $round % 2 ? @each : reverse @each }
        compare("zstd $level",          'rate',    \@ours, \@bare,    'bare loop');
        compare("zstd $level, fastest", 'fastest', \@ours, \@bare,    'bare loop')     if $SHORT{$level};
        compare("zstd $level",          'rate',    \@ours, \@command, "zstd -b$level") if $command;
        compare("zstd $level back",     'back',    \@ours, \@bare,    'bare loop');
        compare("zstd $level back",     'back',    \@ours, \@command, "zstd -b$level") if $command;
    }
    return;
}

$| = 1;
put("$work/bare.c", $BARE);
put($input, join '', map { sha512($_) } 1 .. BLOCKS);
compare_memcpy();
compare_zstd();
printf "targets: ratios of %.2f to %.2f   %s\n", 1 - MOST, 1 + MOST, $missed ? 'MISSED' : 'ok';
exit($missed ? 1 : 0);
