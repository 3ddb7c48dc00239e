#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures one test, context1 unless another is named, in pairs: UnixBench's pass of ten seconds, and a
# default run, whose passes take 0.3 s; which one is first changes from pair to pair. Figures of a pair differ
# when the machine changes its speed from minute to minute, so the last line compares the means of all pairs.
#
#   perl -Ilib t/bench/context1.pl [pairs, 8 [test]]
#
#   pair   ten seconds   default run   passes   median of them
use 5.014;
use strict;
use warnings;

use File::Temp ();
use JSON::PP ();

use Touchstone::Stats qw(mean median);

my ($pairs, $test) = (shift // 8, shift // 'context1');
my @WAYS = ([qw(--classic -i 1)], [qw(--budget 25s)]);

# The result of the test in a run with these options.
sub measured {
    my (@options) = @_;
    local $ENV{UB_RESULTDIR} = my $results = File::Temp->newdir;
    system 'sh', '-c', 'exec ./Run "$@" >/dev/null 2>&1', 'sh', @options, '-c', 1, $test;
    my ($file) = glob("$results/.runs/*.json") or die "./Run has left no record\n";
    open my $in, '<', $file or die "cannot open '$file': $!\n";
    my $record = JSON::PP::decode_json(do { local $/; <$in> });
    return $record->{results}[0]{tests}[0];
}

my (%all, $ten, $default);
printf "%-4s %14s %14s %8s %16s\n", 'pair', 'ten seconds', 'default run', 'passes', 'median of them';
for my $pair (1 .. $pairs) {
    for my $way ($pair % 2 ? (0, 1) : (1, 0)) {
        my $got = measured(@{ $WAYS[$way] });
        if   ($way == 0) { $ten     = $got->{score} }
        else             { $default = $got }
    }
    my @row = ($ten, $default->{score}, median(@{ $default->{rates} }));
    push @{ $all{$_} }, $row[$_] for 0 .. 2;
    printf "%-4d %14.0f %14.0f %8d %16.0f\n", $pair, @row[ 0, 1 ], $default->{passes}, $row[2];
}
my ($long, $score, $middle) = map { mean(@{ $all{$_} }) } 0 .. 2;
printf "mean of all: %.0f, default runs %.3f of it, medians of passes %.3f\n", $long, $score / $long,
    $middle / $long;
