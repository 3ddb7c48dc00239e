#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Counts the user instructions for one count, with callgrind: the difference of "Collected" between two runs
# of different length, over the difference of COUNT. The targets are the figures of UnixBench 6 with the same
# compiler flags (gcc 12.2); bench_next is the harness alone. The programs of 1984 have only a lower bound,
# which their work needs however well it is optimised; for this they are built without the Makefile's
# -fno-lto.
#
#   dhry2reg         -O3 -ffast-math -march=x86-64-v2          173.0   target 170.7 to 181.3   ok
#   loop84           gcc -O3 -flto                         3000094.1   at least 2000000   ok
use 5.014;
use strict;
use warnings;

use Config;
use Cwd qw(getcwd);
use File::Temp ();

my @BUILDS = ('-O2', '-O3 -ffast-math');
my $ARCH   = $Config{archname} =~ /x86_64/ ? ' -march=x86-64-v2' : '';

# Each row is program, its arguments, and lower and upper limit for each build.
my @TARGETS = (
    [ dhry2reg   => [], [ 169.8, 180.3 ], [ 170.7, 181.3 ] ],
    [ pipe       => [], [ 25,    39 ],    [ 25,    39 ] ],
    [ syscall    => [], [ 40,    54 ],    [ 40,    54 ] ],
    [ hanoi      => [], [ 13580, 16598 ], [ 10971, 13409 ] ],
    [ bench_next => [], [ 0,     3 ],     [ 0,     3 ] ],
    map { [ $_ => [], [ 400, 1e9 ], [ 400, 1e9 ] ] } qw(register short int long float double),
);

my @COMPILERS = qw(gcc clang);
my @BY_HAND   = ('-O0', '-O1', '-O2', '-O3', '-O3 -flto');

# Each row is a program, and the instructions that one unit needs at least: an increment and a test for each
# step; a store for each flag that is set or cleared; a call, the test of its result and the loop's step; the
# same for each block.
my @LEAST = (
    [ loop84  => 2 * 1_000_000 ],
    [ sieve84 => 10 * stores_of_sieve(8191) ],
    [ scall84 => 3 * 25_000 ],
    [ pipe84  => 3 * 1024 ]
);

# The functions of fcall84: the loop with the call and the return, and the loop alone.
my %LEAST_OF_FUNCTION = (with_calls => 4 * 50_000, with_assignments => 2 * 50_000);

# A program that does nothing in its loop shows the cost of the harness.
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

# Flag i stands for 2i + 3. All are set, and then the multiples of each prime are cleared.
sub stores_of_sieve {
    my ($flags) = @_;
    my @unset;
    my $stores = $flags;
    for my $i (0 .. $flags - 1) {
        next if $unset[$i];
        for (my $multiple = 3 * $i + 3; $multiple < $flags; $multiple += 2 * $i + 3) {
            $unset[$multiple] = 1;
            $stores++;
        }
    }
    return $stores;
}

# Returns what callgrind and the program print, and the profile.
sub profiled {
    my ($program, $seconds, @args) = @_;
    my $profile = File::Temp->new;
    my $text =
        `valgrind --tool=callgrind --callgrind-out-file='$profile' $program $seconds @args 2>&1 >/dev/null`;
    local $/;
    return ($text, scalar <$profile>);
}

# The last total is that of the parent, which ends after its children.
sub collected {
    my ($program, @args) = @_;
    my ($text)         = profiled($program, @args);
    my ($instructions) = $text =~ /.*Collected : (\d+)/s or die "callgrind says of '$program': $text";
    my ($count)        = $text =~ /^COUNT\|(\d+)/m       or die "'$program' printed no COUNT: $text";
    return ($instructions, $count);
}

sub per_count {
    my ($seconds, $program, @args) = @_;
    my ($i1, $n1) = collected($program, $seconds,     @args);
    my ($i2, $n2) = collected($program, 3 * $seconds, @args);

    # If the optimiser deletes the work it also deletes the harness's loop, and COUNT can be any number.
    return $n2 > $n1 ? ($i2 - $i1) / ($n2 - $n1) : 0;
}

# Returns { function => instructions of one call, including those of functions it calls }. A name is given
# once, and then replaced by its number:
#
#   cfn=(628) with_calls
#   calls=50 0
#   0 17500300
sub per_call {
    my ($text, $profile) = profiled(@_);
    my (%name, %calls, %cost);
    $name{$1} = $2 while $profile =~ /^c?fn=(\(\d+\)) (\S+)/mg;
    while ($profile =~ /^cfn=(\(\d+\)).*\ncalls=(\d+).*\n\S+ (\d+)/mg) {
        my ($id, $calls, $cost) = ($1, $2, $3);
        my $function = $name{$id} =~ s/\W.*//r;
        $calls{$function} += $calls;
        $cost{$function}  += $cost;
    }
    return { map { $_ => $cost{$_} / $calls{$_} } keys %calls };
}

sub build {
    my ($flags) = @_;
    my $tree    = File::Temp->newdir;
    my $base    = getcwd();
    system("cp -R Makefile src testdir '$tree' && mkdir -p '$tree/src/empty'") == 0
        or die "cannot copy the tree\n";
    open my $out, '>', "$tree/src/empty/bench_next.c" or die "cannot write: $!\n";
    print {$out} $EMPTY;
    close $out or die "cannot write: $!\n";
    system(
        "make -s -j2 -C '$tree' UB_GCC_OPTIONS='$flags$ARCH' FLAGS_empty='$flags$ARCH' >/dev/null 2>'$tree/errors'"
        ) == 0
        or die `cat '$tree/errors'`;
    return $tree;
}

sub build_by_hand {
    my ($tree, $compiler, $flags, $program) = @_;
    my $done = system(
        "$compiler -std=gnu11 -D_POSIX_C_SOURCE=200809L -Isrc $flags -o '$tree/$program' src/*.c src/byte1984/$program.c 2>'$tree/errors'"
    ) == 0;
    print map { "# $compiler $flags: $_\n" } split /\n/, `cat '$tree/errors'` if !$done;
    return $done;
}

my $failed = 0;

sub judge {
    my ($name, $build, $figure, $wanted, $ok) = @_;
    $failed++ if !$ok;
    printf "%-16s %-36s %10.1f   %s   %s\n", $name, $build, $figure, $wanted, $ok ? 'ok' : 'MISSED';
    return;
}

sub compare_with_unixbench {
    my ($b) = @_;
    my $tree = build($BUILDS[$b]);
    for my $target (@TARGETS) {
        my ($name, $args, @limits) = @$target;
        my ($low, $high) = @{ $limits[$b] };
        my $figure = per_count(1, "$tree/pgms/$name", @$args);
        judge($name, "$BUILDS[$b]$ARCH", $figure, "target $low to $high",
            $figure >= $low && $figure <= $high);
    }
    return;
}

sub look_for_work_of_1984 {
    my ($compiler, $flags) = @_;
    my $tree = File::Temp->newdir;
    for my $row (@LEAST) {
        my ($name, $least) = @$row;
        build_by_hand($tree, $compiler, $flags, $name) or return;
        my $figure = per_count(0.3, "$tree/$name");
        judge($name, "$compiler $flags", $figure, "at least $least", $figure >= $least);
    }
    build_by_hand($tree, $compiler, $flags, 'fcall84') or return;
    my $figures = per_call("$tree/fcall84", 0.3);
    for my $name (sort keys %LEAST_OF_FUNCTION) {
        my ($figure, $least) = ($figures->{$name} // 0, $LEAST_OF_FUNCTION{$name});
        judge($name, "$compiler $flags", $figure, "at least $least", $figure >= $least);
    }
    my $difference = ($figures->{with_calls} // 0) - ($figures->{with_assignments} // 0);
    judge('calls alone', "$compiler $flags", $difference, 'above 0', $difference > 0);
    return;
}

`valgrind --version 2>/dev/null` or do { print "# valgrind is not installed\n"; exit 0 };
compare_with_unixbench($_) for 0 .. $#BUILDS;
for my $compiler (@COMPILERS) {
    my $there = system("$compiler --version >/dev/null 2>&1") == 0 or print "# $compiler is not installed\n";
    if ($there) { look_for_work_of_1984($compiler, $_) for @BY_HAND }
}
exit($failed ? 1 : 0);
