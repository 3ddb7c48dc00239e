#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# How well the geometric mean of a few tests predicts UnixBench's index: for all sets of up to FEW tests,
# over the published results (pgms/published-unixbench.csv), the correlation of the logarithms and the
# standard deviation of their ratio, in per cent. The file tests depend on a disk and the shell tests on
# tools, so a check has neither.
#
#   perl -Ilib t/bench/check.pl [FEW, 4]
#
#   copies   results  tests  correlation  deviation  set
#   1            188      2        0.957     29 %    dhry2reg execl  *
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);

use Touchstone::Pack::Check::Choice;
use Touchstone::Pack::Place::Table qw(@TESTS);

my $FEW    = $ARGV[0] || 4;
my $SHOWN  = 3;
my @USABLE = grep { !/\A(?:fs|shell)/ } @TESTS;
my %known  = map  { $_ => 1 } @USABLE;

my $chosen = join ' ', grep { $known{$_} } @Touchstone::Pack::Check::Choice::COMPUTE;

sub mean_log {
    my ($entry, @tests) = @_;
    return sum(map { log $entry->{scores}{$_} } @tests) / @tests;
}

# (correlation, deviation of the difference) of two lists.
sub alike {
    my ($x, $y) = @_;
    my $n = @$x;
    my ($mx, $my) = map { sum(@$_) / $n } $x, $y;
    my ($xx, $yy, $xy) = (0, 0, 0);
    for my $i (0 .. $n - 1) {
        my ($u, $v) = ($x->[$i] - $mx, $y->[$i] - $my);
        $xx += $u**2;
        $yy += $v**2;
        $xy += $u * $v;
    }
    return ($xy / sqrt($xx * $yy), sqrt(($xx + $yy - 2 * $xy) / ($n - 1)));
}

printf "%-8s %7s  %5s  %11s  %9s  %s\n", qw(copies results tests correlation deviation set);
my $published = Touchstone::Pack::Place::Table::read();
for my $group ([ '1', sub { $_[0] == 1 } ], [ 'several', sub { $_[0] > 1 } ]) {
    my ($copies, $is_of) = @$group;
    my @results = grep { $_->{scores} && $is_of->($_->{copies}) } @$published;
    my @whole   = map  { mean_log($_, @TESTS) } @results;
    my @sets    = map {
        my $bits = $_;
        [ grep { $bits >> $_ & 1 } 0 .. $#USABLE ]
    } 1 .. 2**@USABLE - 1;
    my @rows;
    for my $set (grep { @$_ <= $FEW } @sets) {
        my @tests = @USABLE[@$set];
        my ($correlation, $deviation) = alike([ map { mean_log($_, @tests) } @results ], \@whole);
        push @rows,
            {
            tests       => "@tests",
            many        => scalar @tests,
            correlation => $correlation,
            deviation   => $deviation
            };
    }
    for my $many (1 .. $FEW) {
        my @best = sort { $a->{deviation} <=> $b->{deviation} } grep { $_->{many} == $many } @rows;
        for my $i (grep { $_ < $SHOWN || $best[$_]{tests} eq $chosen } 0 .. $#best) {
            my $row = $best[$i];
            printf "%-8s %7d  %5d  %11.3f  %7.0f %%  %s%s\n", $copies, scalar @results,
                @$row{qw(many correlation)}, 100 * (exp($row->{deviation}) - 1), $row->{tests},
                $row->{tests} eq $chosen ? '  *' : '';
        }
    }
}
