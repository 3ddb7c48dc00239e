#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# How well the geometric mean of a few tests predicts a whole index: for all sets of up to FEW tests, the
# correlation of the logarithms and the standard deviation of their ratio, in per cent.
#
#   perl -Ilib t/bench/check.pl [FEW, 4]            UnixBench's index, over the published results
#   perl -Ilib t/bench/check.pl --runs RECORD...    the Modern index, over runs of `modern dhry2reg execl`
#
#   copies   results  tests  correlation  deviation  set
#   1            188      2        0.957     29 %    dhry2reg execl  *
#
# The set with a star is that of the check. The file tests depend on a disk and the shell tests on tools, so a
# check has neither.
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);

use Touchstone::Pack::Check::Choice;
use Touchstone::Pack::Place::Table qw(@TESTS);
use Touchstone::Record;
use Touchstone::Score;
use Touchstone::Score::Index;

my $SHOWN = 3;

# Tests of the Modern index that need no disk, network or second thread, and those of UnixBench in the check.
my @MODERN = qw(json interp branch matrix mem-latency mem-bandwidth heap fault fork null-call dhry2reg execl);

my ($runs, $few, @records) =
    @ARGV && $ARGV[0] eq '--runs' ? (1, 2, @ARGV[ 1 .. $#ARGV ]) : (0, $ARGV[0] || 4);
my @usable = $runs ? @MODERN : grep { !/\A(?:fs|shell)/ } @TESTS;
my %chosen = map                    { $_ => 1 } @Touchstone::Pack::Check::Choice::COMPUTE;
my $chosen = join ' ', grep { $chosen{$_} } @usable;

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

sub mean_log {
    my ($logs, @tests) = @_;
    return sum(@$logs{@tests}) / @tests;
}

# Results as [logarithm of the whole index, { test => logarithm of its score }].
sub published {
    my ($is_of) = @_;
    return map {
        my $scores = $_->{scores};
        my %logs   = map { $_ => log $scores->{$_} } @TESTS;
        [ mean_log(\%logs, @TESTS), \%logs ]
    } grep { $_->{scores} && $is_of->($_->{copies}) } @{ Touchstone::Pack::Place::Table::read() };
}

sub of_runs {
    return map {
        my ($block) = @{ Touchstone::Score::score_run(Touchstone::Record->load($_, '.'))->{blocks} };
        my ($whole) = map { $_->{score} } grep { $_->{category} eq 'modern' } @{ $block->{indexes} };
        my %logs    = map { $_->{name} => log Touchstone::Score::Index::index_of($_, $_->{score}) }
            grep { $_->{baseline} && $_->{score} } @{ $block->{tests} };
        [ log $whole, \%logs ]
    } @records;
}

sub rows {
    my ($label, @results) = @_;
    my @whole = map  { $_->[0] } @results;
    my @sets  = grep { @$_ && (@$_ <= $few || "@usable[@$_]" eq $chosen) } map {
        my $bits = $_;
        [ grep { $bits >> $_ & 1 } 0 .. $#usable ]
    } 1 .. 2**@usable - 1;
    my @rows = map {
        my @tests = @usable[@$_];
        my ($correlation, $deviation) = alike([ map { mean_log($_->[1], @tests) } @results ], \@whole);
        { tests => "@tests", many => scalar @tests, correlation => $correlation, deviation => $deviation }
    } @sets;
    for my $many (1 .. @usable) {
        my @best = sort { $a->{deviation} <=> $b->{deviation} } grep { $_->{many} == $many } @rows;
        for my $i (grep { $_ < $SHOWN || $best[$_]{tests} eq $chosen } 0 .. $#best) {
            my $row = $best[$i];
            printf "%-8s %7d  %5d  %11.3f  %7.0f %%  %s%s\n", $label, scalar @results,
                @$row{qw(many correlation)}, 100 * (exp($row->{deviation}) - 1), $row->{tests},
                $row->{tests} eq $chosen ? '  *' : '';
        }
    }
    return;
}

printf "%-8s %7s  %5s  %11s  %9s  %s\n", qw(copies results tests correlation deviation set);
if ($runs) {
    rows(1, of_runs());
} else {
    rows(1, published(sub { $_[0] == 1 }));
    rows(several => published(sub { $_[0] > 1 }));
}
