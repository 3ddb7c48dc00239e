#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures how reliably a comparison names the part of a difference that was planted: kernel, user or waiting
# time of simulated runs, whose passes vary by 0.3 to 3 %; one in twenty is disturbed. The kernel divides CPU
# time into user and kernel time exactly, or by 75 ticks of its clock for each pass (0.3 s at 250 Hz).
#
#   perl -Ilib t/bench/cost-split.pl [pairs of runs, 400]
#
#   exact: kernel time + 10 %: named                           100.0 % of 400     target >= 95 % ok
use 5.014;
use strict;
use warnings;

use lib 't/lib';
use Costs;
use Touchstone::Base::Random;
use Touchstone::Base::Time qw(@PARTS);
use Touchstone::Compare::CostSplit;

my $PAIRS  = shift // 400;
my $failed = 0;
my $random = Touchstone::Base::Random::generator(4711);

sub show {
    my ($what, $part, $all, $target, $is_met) = @_;
    my $percent = 100 * $part / ($all || 1);
    my $ok      = $is_met->($percent);
    $failed++ if !$ok;
    printf "%-58s %-18s target %-8s %s\n", $what, sprintf('%.1f %% of %d', $percent, $all), $target,
        $ok ? 'ok' : 'MISSED';
    return;
}

# Seconds of user, kernel and waiting time, and what each is multiplied by.
my @PLANTED = (
    [ 'kernel time + 10 %', kernel  => [ 0.2,  0.7, 0.1 ],  [ 1,    1.1, 1 ] ],
    [ 'user time + 5 %',    user    => [ 0.9,  0.1, 0.0 ],  [ 1.05, 1,   1 ] ],
    [ 'user time - 30 %',   user    => [ 0.6,  0.3, 0.1 ],  [ 0.7,  1,   1 ] ],
    [ 'waiting + 20 %',     waiting => [ 0.05, 0.4, 0.55 ], [ 1,    1,   1.2 ] ],
);

for my $ticks (0, 75) {
    $Costs::TICKS = $ticks;
    planted($ticks ? "$ticks ticks" : 'exact', @$_) for @PLANTED;
}

sub planted {
    my ($how,    $what,  $part,   $times, $factors) = @_;
    my ($differ, $right, $coarse, $wrong, $covered) = (0) x 5;
    my @true = Costs::true_parts($times, $factors);
    for my $pair (1 .. $PAIRS) {
        my $test  = Costs::compared($random, $times, $factors, 0.003 * 10**($pair % 8 / 7));
        my $split = $test->{split} or next;
        $differ++;
        my %named  = map { $_ => 1 } @{ $split->{named} };
        my $is_cpu = delete $named{cpu} && $part ne 'waiting';
        $right++  if $named{$part};
        $coarse++ if delete $named{$part} || $is_cpu;
        $wrong++  if %named;
        $covered += grep { Costs::holds($split->{parts}{ $PARTS[$_] }{interval}, $true[$_]) } 0 .. $#PARTS;
    }
    show("$how: $what: named",
        $right, $differ, $how eq 'exact' ? ('>= 95 %', sub { $_[0] >= 95 }) : ('none', sub { 1 }));
    show("$how: $what: named, or CPU time",       $coarse,  $differ,     '>= 95 %', sub { $_[0] >= 95 });
    show("$how: $what: another part named",       $wrong,   $differ,     '<= 5 %',  sub { $_[0] <= 5 });
    show("$how: $what: intervals hold the truth", $covered, 3 * $differ, '>= 90 %', sub { $_[0] >= 90 });
    return;
}

# Several tests with one cause: the sentence for all of them, whose user and kernel time are joined evidence.
my $TESTS = 4;
for my $ticks (0, 75) {
    $Costs::TICKS = $ticks;
    joined($ticks ? "$ticks ticks" : 'exact', @$_) for @PLANTED;
}

sub joined {
    my ($how, $what, $part, $times, $factors) = @_;
    my ($among, $right, $coarse, $wrong) = (0) x 4;
    for my $pair (1 .. $PAIRS) {
        my @tests =
            map { Costs::compared($random, $times, $factors, 0.003 * 10**($pair % 8 / 7)) } 1 .. $TESTS;
        next if 2 > grep { $_->{split} } @tests;
        $among++;
        my ($named) = Touchstone::Compare::CostSplit::common_part(@tests) or next;
        $right++  if $named eq $part;
        $coarse++ if $named eq $part || $named eq 'cpu' && $part ne 'waiting';
        $wrong++  if $named ne $part && $named ne 'cpu' || $named eq 'cpu' && $part eq 'waiting';
    }
    my $all = "$how: $what in $TESTS tests";
    show("$all: named", $right, $among,
        $how eq 'exact' ? ('>= 95 %', sub { $_[0] >= 95 }) : ('none', sub { 1 }));
    show("$all: named, or CPU time", $coarse, $among, '>= 95 %', sub { $_[0] >= 95 });
    show("$all: another part named", $wrong,  $among, '<= 4 %',  sub { $_[0] <= 4 });
    return;
}

my $named = 0;
for my $pair (1 .. $PAIRS) {
    my $test = Costs::compared($random, [ 0.3, 0.5, 0.2 ], [ 1, 1, 1 ], 0.003 * 10**($pair % 8 / 7));
    $named++ if $test->{split} && @{ $test->{split}{named} };
}
show('equal runs: a part named', $named, $PAIRS, '<= 5 %', sub { $_[0] <= 5 });
exit($failed > 0);
