#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures what it costs to start Run for a question that needs no measurement: CPU seconds and modules of
# ours that it loads. A tree named as an argument, such as an older version, is measured in turn with this
# one.
#
#   --version    32 ms   20 modules   0.217 (0.204 to 0.272) of the other
#   report x  112 ms  107 modules   0.783 (0.743 to 0.805) of the other
use 5.014;
use strict;
use warnings;

use POSIX ();

use lib 't/lib';
use Ratios;
use Touchstone::Stats qw(median);

use constant { SAMPLES => 9, RUNS => 5 };

my @QUESTIONS = (
    ['--version'], ['--help'], ['list'],
    [qw(report t/golden/sure.json)],
    [qw(report t/golden/sure.json --format html)],
    [qw(compare t/golden/record.json t/golden/sure.json)],
);

my ($other) = @ARGV;
my @trees = ('.', defined $other ? $other : ());

# Returns the milliseconds of CPU of one Run, as the mean of several.
sub cost {
    my ($tree, @words) = @_;
    my @before = POSIX::times();
    for (1 .. RUNS) {
        system("$^X $tree/Run @words >/dev/null 2>&1") != -1 or die "cannot start '$tree/Run': $!\n";
    }
    my @after = POSIX::times();
    return ($after[3] + $after[4] - $before[3] - $before[4]) /
        POSIX::sysconf(POSIX::_SC_CLK_TCK()) / RUNS * 1000;
}

sub modules {
    my (@words) = @_;
    my $count   = 'END { print STDERR "\nmodules ", scalar(grep { m{^Touchstone} } keys %INC), "\n" }';
    my $said    = `$^X -e '$count do shift \@ARGV; main(\@ARGV)' ./Run @words 2>&1 >/dev/null`;
    return $said =~ /^modules (\d+)/m ? $1 : 0;
}

for my $question (@QUESTIONS) {
    my @costs = map { [] } @trees;
    for (1 .. SAMPLES) {
        push @{ $costs[$_] }, cost($trees[$_], @$question) for 0 .. $#trees;
    }
    my ($ratio) = defined $other ? Ratios::told(@costs, 0, 1) : ();
    printf "%-45s %5.0f ms %4d modules%s\n", "@$question", median(@{ $costs[0] }), modules(@$question),
        defined $ratio ? "   $ratio of the other" : '';
}
