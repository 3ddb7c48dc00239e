#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# How well checks of one machine in a row agree: for each figure the median of the checks, their range, the
# median half-width of the 95 % intervals, and how many of the intervals hold the median. A check that says
# that something disturbed it is counted in the last line.
#
#   for i in 1 2 3 4 5 6 7 8 9 10; do ./Run check --format json > check-$i.json; done
#   perl -Ilib t/bench/check-agreement.pl check-*.json
#
#   figure                    n  median      range          precision  hold it
#   CPU, 1 copy              10  1769        -1.9 to 1.2 %      2.9 %    10/10
use 5.014;
use strict;
use warnings;

use Touchstone::Record::Json;
use Touchstone::Stats qw(median);

my @checks = map {
    Touchstone::Record::Json::decode(
        do { local (@ARGV, $/) = $_; <> }
    )
    } @ARGV
    or die "usage: perl -Ilib $0 FILE...\n";

my (%figures, @order);
for my $figure (map { @{ $_->{figures} } } @checks) {
    push @order,                            $figure->{label} if !$figures{ $figure->{label} };
    push @{ $figures{ $figure->{label} } }, $figure;
}

my ($held, $intervals) = (0, 0);
my $row = "%-24s %3s  %-10s %16s %10s %8s\n";
printf $row, 'figure', 'n', 'median', 'range', 'precision', 'hold it';
for my $label (@order) {
    my @figures = @{ $figures{$label} };
    my $median  = median(map { $_->{value} } @figures);
    my @values  = sort { $a <=> $b } map { $_->{value} } @figures;
    my @known   = grep { defined $_->{low} } @figures;
    my @hold    = grep { $_->{low} <= $median && $median <= $_->{high} } @known;
    $held      += @hold;
    $intervals += @known;
    printf $row, $label, scalar @figures, sprintf('%.4g', $median),
        sprintf('%+.1f to %+.1f %%', map { 100 * ($_ / $median - 1) } @values[ 0, -1 ]),
        @known ? sprintf('%.1f %%', 100 * median(map { $_->{precision} } @known)) : '-',
        scalar(@hold) . '/' . scalar @known;
}
printf "%d of %d intervals (%.0f %%) hold the median; %d of %d checks are not valid, %d name neighbours\n",
    $held, $intervals, 100 * $held / ($intervals || 1), scalar(grep { !$_->{valid} } @checks),
    scalar @checks, scalar(grep { "@{ $_->{verdicts} }" =~ /Neighbours/ } @checks);
my @seconds = sort { $a <=> $b } map { $_->{seconds} } @checks;
printf "%.0f to %.0f s for each check\n", @seconds[ 0, -1 ];
