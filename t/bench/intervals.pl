#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures how often a 95 % interval holds the true median of its distribution, and how wide it is, for n = 3
# to 30 values. This is the reason for the choice made in Stats::interval. Target: 93 to 97 %.
#
#   perl -Ilib t/bench/intervals.pl [samples of each kind, 2000]
#
#   contaminated   order          student        signed-rank    bootstrap
#     n =  6       95.5 0.0358    97.0 0.0425    95.8 0.0378    92.7 0.0307
use 5.014;
use strict;
use warnings;

use List::Util qw(sum max);
use POSIX qw(floor);

use Touchstone::Stats::Significance;
use Touchstone::Stats;

my $SAMPLES   = shift // 2000;
my $RESAMPLES = 200;
my @SIZES     = (3 .. 10, 12, 15, 20, 25, 30);
srand 4711;

sub normal { return sqrt(-2 * log(1 - rand)) * cos(6.283185307179586 * rand) }

# Distributions of passes: noise alone; a long tail; one pass in ten slowed down by up to 30 %; one in ten
# with ten times the noise.
my %KIND = (
    'normal'       => sub { 1 + 0.02 * normal() },
    'log-normal'   => sub { exp(0.3 * normal()) },
    'contaminated' => sub { my $x = 1 + 0.01 * normal(); return rand() < 0.1 ? $x * (1 - 0.3 * rand) : $x },
    'heavy tails'  => sub { 1 + 0.01 * normal() * (rand() < 0.1 ? 10 : 1) },
);
my %METHOD = (
    order         => sub { return Touchstone::Stats::interval([@_]) },
    student       => \&student,
    'signed-rank' => \&signed_rank,
    bootstrap     => \&bootstrap,
);
my @METHODS = ('order', 'student', 'signed-rank', 'bootstrap');

# Quantiles of Student's t; the interval is computed from logarithms.
my %quantile;

sub student {
    my @logs = map { log } @_;
    my $half =
        ($quantile{ scalar @logs } //= Touchstone::Stats::Significance::t_quantile(0.025, @logs - 1)) *
        Touchstone::Stats::deviation(@logs) /
        sqrt @logs;
    my $mean = Touchstone::Stats::mean(@logs);
    return (exp($mean - $half), exp($mean + $half));
}

# Wilcoxon's signed-rank interval: order statistics of the means of all pairs, interpolated.
my %sums_of_ranks;

sub signed_rank {
    my @x = @_;
    my $n = @x;
    return if $n < 6;
    my @means = sort { $a <=> $b } map {
        my $i = $_;
        map { ($x[$i] + $x[$_]) / 2 } $i .. $n - 1
    } 0 .. $n - 1;
    my $below = $sums_of_ranks{$n} //= chances_of_rank_sums($n);
    my $k     = 0;
    $k++ while 1 - 2 * $below->[$k] >= 0.95;
    my ($sure, $less) = map { 1 - 2 * $_ } @$below[ $k - 1, $k ];
    my $part = ($sure - 0.95) / ($sure - $less);
    return (
        $means[ $k - 1 ] + $part * ($means[$k] - $means[ $k - 1 ]),
        $means[ -$k ] - $part * ($means[ -$k ] - $means[ -$k - 1 ])
    );
}

sub chances_of_rank_sums {
    my ($n) = @_;
    my @ways = (1);
    for my $rank (1 .. $n) {
        my @more = (@ways, (0) x $rank);
        $more[ $_ + $rank ] += $ways[$_] for 0 .. $#ways;
        @ways = @more;
    }
    my $sum = 0;
    return [ map { $sum += $_ / 2**$n } @ways ];
}

sub bootstrap {
    my @x       = @_;
    my @medians = sort { $a <=> $b } map {
        Touchstone::Stats::median(map { $x[ rand @x ] } @x)
    } 1 .. $RESAMPLES;
    return @medians[ floor(0.025 * $RESAMPLES), floor(0.975 * $RESAMPLES) - 1 ];
}

sub true_median {
    my ($draw) = @_;
    return Touchstone::Stats::median(map { $draw->() } 1 .. 200_001);
}

for my $kind (sort keys %KIND) {
    my $draw = $KIND{$kind};
    my $true = true_median($draw);
    printf "%-14s %s\n", $kind, join ' ', map { sprintf '%-14s', $_ } @METHODS;
    for my $n (@SIZES) {
        my (%held, %width, %tried);
        for my $sample (1 .. $SAMPLES) {
            my @x = map { $draw->() } 1 .. $n;
            for my $method (@METHODS) {
                next if $method eq 'bootstrap' && $sample % 4;
                my ($low, $high) = $METHOD{$method}->(@x) or next;
                $tried{$method}++;
                $held{$method}++ if $low <= $true && $true <= $high;
                $width{$method} += ($high - $low) / 2 / $true;
            }
        }
        printf "  n = %2d       %s\n", $n, join ' ', map {
            $tried{$_}
                ? sprintf '%4.1f %.4f   ', 100 * ($held{$_} // 0) / $tried{$_}, $width{$_} / $tried{$_}
                : sprintf '%-14s', '-'
        } @METHODS;
    }
}

# Run goes on after six passes until the interval is at most 1.5 % to each side, or there are fifty passes.
say 'until sure     order';
for my $kind (sort grep { $_ ne 'log-normal' } keys %KIND) {
    my ($true, $held, $passes) = (true_median($KIND{$kind}), 0, 0);
    for (1 .. $SAMPLES) {
        my @x      = map { $KIND{$kind}->() } 1 .. 6;
        my @limits = Touchstone::Stats::interval(\@x);
        while (@x < 50 && $limits[1] - $limits[0] > 0.03 * Touchstone::Stats::median(@x)) {
            push @x, $KIND{$kind}->();
            @limits = Touchstone::Stats::interval(\@x);
        }
        $held++ if $limits[0] <= $true && $true <= $limits[1];
        $passes += @x;
    }
    printf "  %-12s %4.1f with %.1f passes\n", $kind, 100 * $held / $SAMPLES, $passes / $SAMPLES;
}
