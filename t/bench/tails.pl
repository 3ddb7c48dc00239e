#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures how often a 95 % interval of a tail holds what endless passes would have, where late samples come
# in bursts, as they do: a machine that stands still is late many times in a row. This is the reason why a
# tail has the median over passes of p99 and not p99 of all samples. Target: 93 to 97 %.
#
#   perl -Ilib t/bench/tails.pl [runs of each kind, 400] [seed, 4711]
#
#                                 no bursts           15 % of passes      40 % of passes
#                                    6    10    20       6    10    20       6    10    20
#   p99 of a pass, median, order    94.5  93.5  94.0    97.0  96.8  95.0    92.5  94.5  95.5
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Stats;

my $RUNS = shift // 400;
my $SEED = shift // 4711;
srand $SEED;

# A pass has so many samples; its body is log-normal with this deviation of the logarithms. A burst is so many
# samples, each so many times as late as the median.
my ($SAMPLES, $WIDTH)     = (1000, 0.4);
my ($LEAST, $MOST)        = (3, 30);
my ($LATE, $LATEST)       = (5, 50);
my ($ENDLESS, $RESAMPLES) = (2000, 200);
my @PASSES = (6, 10,   20);
my @BURSTS = (0, 0.15, 0.4);

sub normal { return sqrt(-2 * log(1 - rand)) * cos(6.283185307179586 * rand) }

# Returns the samples of a pass in order of size.
sub one_pass {
    my ($bursts) = @_;
    my $late     = rand() < $bursts ? $LEAST + int rand($MOST - $LEAST + 1) : 0;
    my @samples  = map { exp($WIDTH * normal()) } 1 .. $SAMPLES - $late;
    return [ sort { $a <=> $b } @samples, map { $LATE + ($LATEST - $LATE) * rand } 1 .. $late ];
}

# The sample that this share of all does not exceed.
sub quantile {
    my ($sorted, $share) = @_;
    return $sorted->[ max(1, int($share * @$sorted + 0.5)) - 1 ];
}

sub of_passes {
    my ($share, $passes) = @_;
    return map { quantile($_, $share) } @$passes;
}

sub pooled {
    return [ sort { $a <=> $b } map { @$_ } @{ $_[0] } ];
}

# By the order of the passes, which is what Touchstone does.
sub order { my ($share, $passes) = @_; return Touchstone::Stats::interval([ of_passes($share, $passes) ]) }

# By the order of all samples, as if each were late or not by itself.
sub binomial {
    my ($share, $passes, $pooled) = @_;
    my $half = $Touchstone::Stats::NORMAL * sqrt(@$pooled * $share * (1 - $share));
    my ($low, $high) = map { int($_ + 0.5) } @$pooled * $share - $half, @$pooled * $share + $half + 1;
    return ($pooled->[ max(1, $low) - 1 ], $pooled->[ min(scalar @$pooled, $high) - 1 ]);
}

# By passes that are drawn anew with all of their samples. Only the latest samples matter, so these are walked
# from the top.
sub bootstrap {
    my ($share, $passes) = @_;
    my $above = (1 - $share) * $SAMPLES * @$passes;
    my @top   = sort { $b->[0] <=> $a->[0] } map {
        my $i = $_;
        map { [ $passes->[$i][$_], $i ] } int($SAMPLES * 0.8) .. $SAMPLES - 1
    } 0 .. $#$passes;
    my @drawn = sort { $a <=> $b } map { one_draw($above, scalar @$passes, \@top) } 1 .. $RESAMPLES;
    return @drawn[ int(0.025 * $RESAMPLES), int(0.975 * $RESAMPLES) - 1 ];
}

sub one_draw {
    my ($above, $passes, $top) = @_;
    my @times = (0) x $passes;
    $times[ rand $passes ]++ for 1 .. $passes;
    my $seen = 0;
    for (@$top) {
        $seen += $times[ $_->[1] ];
        return $_->[0] if $seen > $above;
    }
    die "a draw has too few late samples\n";
}

# What, share, method, and whether endless passes are pooled or have a median.
my @METHODS = (
    [ 'p99 of a pass, median, order', 0.99,  \&order,     'median' ],
    [ 'p50 of a pass, median, order', 0.5,   \&order,     'median' ],
    [ 'p99 of all times, binomial',   0.99,  \&binomial,  'pooled' ],
    [ 'p99 of all times, bootstrap',  0.99,  \&bootstrap, 'pooled' ],
    [ 'p99.9 of all times, binomial', 0.999, \&binomial,  'pooled' ],
    [ 'p50 of all times, binomial',   0.5,   \&binomial,  'pooled' ],
);

# Returns what endless passes would have, for each method.
sub truths {
    my ($bursts) = @_;
    my @passes   = map { one_pass($bursts) } 1 .. $ENDLESS;
    my $pooled   = pooled(\@passes);
    return map {
        my ($what, $share, $method, $kind) = @$_;
        $kind eq 'median'
            ? Touchstone::Stats::median(of_passes($share, \@passes))
            : quantile($pooled, $share)
    } @METHODS;
}

# Counts for each method and number of passes how often its interval holds the truth.
sub held {
    my ($bursts) = @_;
    my @true = truths($bursts);
    my %held;
    for (1 .. $RUNS) {
        my @all = map { one_pass($bursts) } 1 .. max(@PASSES);
        for my $n (@PASSES) {
            my @passes = @all[ 0 .. $n - 1 ];
            my $pooled = pooled(\@passes);
            for my $i (0 .. $#METHODS) {
                my ($low, $high) = $METHODS[$i][2]->($METHODS[$i][1], \@passes, $pooled);
                $held{$i}{$n}++ if $low <= $true[$i] && $true[$i] <= $high;
            }
        }
    }
    return \%held;
}

my @held = map { held($_) } @BURSTS;
printf "%-30s %-19s %-19s %s\n", '', 'no bursts',
    map { sprintf '%.0f %% of passes', 100 * $_ } @BURSTS[ 1, 2 ];
say ' ' x 30, ' ', join '  ', map {
    join '',
        map { sprintf '%4d  ', $_ }
        @PASSES
} @BURSTS;
for my $i (0 .. $#METHODS) {
    printf "%-30s %s\n", $METHODS[$i][0], join '  ', map {
        my $held = $_;
        join '', map { sprintf '%5.1f ', 100 * ($held->{$i}{$_} // 0) / $RUNS } @PASSES
    } @held;
}
