#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# User instructions for one count, by callgrind: two runs of different length, difference of "Collected" over difference of COUNT.
# The figures to meet are those of UnixBench 6 with the same compiler flags (gcc 12.2); bench_next is the harness alone.
#
#   dhry2reg        -O3 -ffast-math -march=x86-64-v2     174.0   target 170.7 to 181.3   ok
use 5.014;
use strict;
use warnings;

use Config;
use Cwd qw(getcwd);
use File::Temp ();

my @BUILDS = ('-O2', '-O3 -ffast-math');
my $ARCH   = $Config{archname} =~ /x86_64/ ? ' -march=x86-64-v2' : '';

# program, its arguments, from and to by build
my @TARGETS = (
    [ dhry2reg   => [], [ 169.8, 180.3 ], [ 170.7, 181.3 ] ],
    [ pipe       => [], [ 25, 39 ], [ 25, 39 ] ],
    [ syscall    => [], [ 40, 54 ], [ 40, 54 ] ],
    [ hanoi      => [], [ 13580, 16598 ], [ 10971, 13409 ] ],
    [ bench_next => [], [ 0, 3 ], [ 0, 3 ] ],
    map { [ $_ => [], [ 400, 1e9 ], [ 400, 1e9 ] ] } qw(register short int long float double),
);

# The loop of a program that does nothing: what the harness costs.
my $EMPTY = <<'C';
#include "bench.h"
int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, argc, argv, 0);
	while (bench_next(&b))
		__asm__ volatile("");
	bench_end(&b);
}
C

sub collected {
    my ($program, $seconds, @args) = @_;
    my $profile = File::Temp->new;
    my $text = `valgrind --tool=callgrind --callgrind-out-file='$profile' $program $seconds @args 2>&1 >/dev/null`;
    my ($instructions) = $text =~ /Collected : (\d+)/ or die "callgrind says of '$program': $text";
    my ($count)        = $text =~ /^COUNT\|(\d+)/m    or die "'$program' printed no COUNT: $text";
    return ($instructions, $count);
}

sub per_count {
    my (@command) = @_;
    my ($program, @args) = @command;
    my ($i1, $n1) = collected($program, 1, @args);
    my ($i2, $n2) = collected($program, 3, @args);
    return ($i2 - $i1) / ($n2 - $n1);
}

sub build {
    my ($flags) = @_;
    my $tree = File::Temp->newdir;
    my $base = getcwd();
    system("cp -R Makefile src testdir '$tree' && mkdir -p '$tree/src/empty'") == 0 or die "cannot copy the tree\n";
    open my $out, '>', "$tree/src/empty/bench_next.c" or die "cannot write: $!\n";
    print {$out} $EMPTY;
    close $out or die "cannot write: $!\n";
    system("make -s -j2 -C '$tree' UB_GCC_OPTIONS='$flags$ARCH' FLAGS_empty='$flags$ARCH' >/dev/null 2>'$tree/errors'") == 0
        or die `cat '$tree/errors'`;
    return $tree;
}

`valgrind --version 2>/dev/null` or do { print "# valgrind is not installed\n"; exit 0 };
my $failed = 0;
for my $b (0 .. $#BUILDS) {
    my $tree = build($BUILDS[$b]);
    for my $target (@TARGETS) {
        my ($name, $args, @limits) = @$target;
        my ($low, $high) = @{ $limits[$b] };
        my $figure = per_count("$tree/pgms/$name", @$args);
        my $ok = $figure >= $low && $figure <= $high;
        $failed++ if !$ok;
        printf "%-12s %-36s %10.1f   target %g to %g   %s\n", $name, "$BUILDS[$b]$ARCH", $figure, $low, $high, $ok ? 'ok' : 'MISSED';
    }
}
exit($failed ? 1 : 0);
