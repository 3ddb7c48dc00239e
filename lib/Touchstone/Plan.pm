# SPDX-License-Identifier: GPL-2.0-or-later
# Plan - which passes in which order, and how long that takes. A plan is plain data:
#
#   { schedule => 'default', seed => 4711, rounds => 6, seconds => 142.5, blocks => [
#       { copies => 1, passes => [
#           { test => $row, window => 0.1, round => 0, seconds => 0.2 },     round 0: the warm-up, which no score counts
#           { test => $row, window => 1, round => 1, seconds => 1.1 }, ... ] }, ... ] }
package Touchstone::Plan;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum max);
use POSIX qw(fmod);

# Windows in seconds by the pace of a test, and how many rounds.
my %ROUNDS = (
    default => { rounds => 6, warm => { fast => 0.1, medium => 0.1, slow => 0.2 }, window => { fast => 1, medium => 2, slow => 3 } },
    quick   => { rounds => 3, warm => { fast => 0.05, medium => 0.05, slow => 0.1 }, window => { fast => 0.3, medium => 0.5, slow => 1 } },
);
my $CLASSIC_PASSES = 10;

# What a pass costs beside its window: processes, set-up, the last operation's end.
my $OVERHEAD = 0.12;
my $OVERHEAD_COPY = 0.004;

# tests, copies (a list of numbers), schedule, iterations (classic), seed
sub make {
    my (%want) = @_;
    my $random = _generator($want{seed});
    my @blocks;
    for my $copies (@{ $want{copies} }) {
        my $passes = $want{schedule} eq 'classic'
            ? _classic($want{tests}, $want{iterations})
            : _rounds($want{tests}, $ROUNDS{ $want{schedule} }, $random);
        $_->{seconds} = $_->{window} + $OVERHEAD + $OVERHEAD_COPY * $copies for @$passes;
        push @blocks, { copies => $copies, passes => $passes, seconds => sum(map { $_->{seconds} } @$passes) };
    }
    return {
        schedule => $want{schedule}, seed => $want{seed}, blocks => \@blocks, seconds => sum(map { $_->{seconds} } @blocks),
        rounds => max(map { $_->{round} } map { @{ $_->{passes} } } @blocks),
    };
}

# Each round is a pass of every test in a new order, so that a disturbance of some seconds meets many tests once each and not one
# test with all its passes.
sub _rounds {
    my ($tests, $times, $random) = @_;
    my @passes = map { { test => $_, window => $times->{warm}{ $_->{pace} }, round => 0 } } @$tests;
    for my $round (1 .. $times->{rounds}) {
        push @passes, map { { test => $_, window => $times->{window}{ $_->{pace} }, round => $round } } _shuffled($random, @$tests);
    }
    return \@passes;
}

# UnixBench's: each test's passes in a row.
sub _classic {
    my ($tests, $iterations) = @_;
    my $long = $iterations || $CLASSIC_PASSES;
    my %passes = (long => $long, short => max(1, int(($long + 1) / 3)));
    return [ map { my $test = $_; map { { test => $test, window => $test->{seconds}, round => $_ } } 1 .. $passes{ $test->{class} } } @$tests ];
}

sub _shuffled {
    my ($random, @list) = @_;
    for my $i (reverse 1 .. $#list) {
        my $j = int($random->() * ($i + 1));
        @list[ $i, $j ] = @list[ $j, $i ];
    }
    return @list;
}

# A generator of our own, because rand gives other numbers in other versions of Perl: the order must follow from the seed.
# Lehmer's, modulus 2**31 - 1, which stays exact in a double.
sub _generator {
    my ($seed) = @_;
    my $state = 1 + $seed % 2147483646;
    my $next = sub { $state = fmod($state * 48271, 2147483647); return ($state - 1) / 2147483646 };
    $next->() for 1 .. 5;
    return $next;
}

1;
