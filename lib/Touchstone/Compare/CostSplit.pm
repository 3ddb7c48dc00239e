# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::CostSplit - the difference of a test that is faster or slower as the sum of the differences of its
# user, kernel and waiting time:
#
#   {
#       log   => 0.372,                 the logarithm of the ratio of the times of an operation
#       parts => { user => { log => 0.002, interval => [-0.01, 0.014], named => 0 }, kernel => ..., waiting => ... }
#   }
#
# or { why => 'no CPU time is known' }. A part is the difference of its seconds divided by the logarithmic mean
# of both times, so that the parts of each pair of times add up to their logarithm. A part is named if its
# interval excludes zero and it is a tenth of the whole or more. t/bench/cost-split.pl has the figures.
package Touchstone::Compare::CostSplit;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);

use Touchstone::Compare::Drift;
use Touchstone::Compare::Judgement qw($FASTER $SLOWER);
use Touchstone::Score::Cost qw(@PARTS);
use Touchstone::Stats::Significance;
use Touchstone::Stats qw(median outliers);

# A smaller part of a difference explains little of it.
my $LEAST = 0.1;

# A part that all tests have in common explains more than this share of the tests and of each of them.
my $MOST = 0.5;

# Adds its split to a test that differs. `costs` of each run: the passes as Score::Cost has them, or why there
# are none.
sub add {
    my ($test, @costs) = @_;
    return if $test->{verdict} ne $FASTER && $test->{verdict} ne $SLOWER;
    my ($unknown) = grep { $_->{why} } @costs;
    $test->{split} = $unknown ? { why => $unknown->{why} } : split_of($test, map { $_->{passes} } @costs);
    return;
}

# The split of a ratio of speeds; a pass is [user, kernel, waiting].
sub split_of {
    my ($test,  $first, $second) = @_;
    my ($whole, @sides)          = (-log $test->{ratio}, $first, $second);

    # Programs whose CPU time is compared have no waiting time.
    if (($test->{base} // '') eq 'cpu') {
        @sides = map {
            [ map { [ @$_[ 0, 1 ], 0 ] } @$_ ]
        } @sides;
    }
    return { why => 'a pass has no CPU time' } if grep { sum(@$_) <= 0 } map { @$_ } @sides;
    my @parts = $test->{paired} && @$first == @$second ? _of_pairs(@sides) : _of_sides($whole, @sides);
    _reconcile($whole, @parts);
    my $drift = $test->{drift};
    my @shares = $drift ? Touchstone::Score::Cost::shares(@{ $sides[0] }) : ();
    for my $i (grep { $drift } 0 .. $#parts) {
        my $own = { %$drift, error => $drift->{error} * $shares[$i] };
        %{ $parts[$i] } = (%{ $parts[$i] }, %{ Touchstone::Compare::Drift::joined($parts[$i], $own) })
            if $own->{error} > 0;
    }
    return { log => $whole, parts => { map { $PARTS[$_] => _judged($whole, $parts[$_]) } 0 .. $#PARTS } };
}

sub log_mean {
    my ($one, $other) = @_;
    my $log = log($other / $one);
    return abs $log < 1e-9 ? $one : ($other - $one) / $log;
}

# Passes of a duet ran together, and what disturbed one disturbed the other.
sub _of_pairs {
    my ($first, $second) = @_;
    my @means = map { log_mean(sum(@{ $first->[$_] }), sum(@{ $second->[$_] })) } 0 .. $#$first;
    return map {
        my $part  = $_;
        my @parts = map { ($second->[$_][$part] - $first->[$_][$part]) / $means[$_] } 0 .. $#$first;
        my $mean  = Touchstone::Stats::Significance::trimmed_mean(@parts);
        outliers(@parts)
            ? Touchstone::Stats::Significance::judged($mean->[0], sqrt $mean->[1], $mean->[2])
            : Touchstone::Stats::Significance::paired(@parts)
    } 0 .. $#PARTS;
}

sub _of_sides {
    my ($whole, @sides) = @_;
    my $time = median(map { sum(@$_) } @{ $sides[0] });
    my $mean = log_mean($time, $time * exp $whole);
    return map {
        my $part = $_;
        Touchstone::Stats::Significance::differ(
            map {
                [ map { $_->[$part] / $mean } @$_ ]
            } @sides
        )
    } 0 .. $#PARTS;
}

# The ratio is one of scores, and not of the means of passes: the difference goes to the parts by their
# variances, as least squares have it.
sub _reconcile {
    my ($whole, @parts) = @_;
    my $rest      = $whole - sum(map { $_->{difference} } @parts);
    my @variances = map { $_->{error}**2 } @parts;
    my $all       = sum(@variances);
    $parts[$_]{difference} += $rest * ($all > 0 ? $variances[$_] / $all : 1 / @parts) for 0 .. $#parts;
    return;
}

sub _judged {
    my ($whole, $part) = @_;
    my ($log, $error, $freedom) = @$part{qw(difference error freedom)};
    my $above    = (1 - $Touchstone::Stats::CONFIDENCE) / 2;
    my $half     = $error > 0 ? $error * Touchstone::Stats::Significance::t_quantile($above, $freedom) : 0;
    my $is_named = abs $log > $half && abs $log >= $LEAST * abs $whole;
    return { log => $log, interval => [ $log - $half, $log + $half ], named => $is_named ? 1 : 0 };
}

# The parts of a split that are named, the largest first.
sub named_parts {
    my ($split) = @_;
    my $parts = $split->{parts} || {};
    return sort { abs $parts->{$b}{log} <=> abs $parts->{$a}{log} } grep { $parts->{$_}{named} } @PARTS;
}

# (part, how many tests it explains, of how many that differ) where one part is most of the difference in most
# of the tests.
sub common_part {
    my (@tests) = @_;
    my @splits = map { $_->{split} || () } @tests;
    my %explained;
    for my $split (@splits) {
        my ($part) = named_parts($split);
        $explained{$part}++ if defined $part && $split->{parts}{$part}{log} / $split->{log} > $MOST;
    }
    my ($common) = grep { ($explained{$_} // 0) > $MOST * @splits } @PARTS;
    return if !defined $common || @splits < 2;
    return ($common, $explained{$common}, scalar @splits);
}

1;
