# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::CostSplit - the difference of a test that is faster or slower as the sum of the differences of its
# user, kernel and waiting time:
#
#   {
#       log   => 0.372,                 the logarithm of the ratio of the times of an operation
#       parts => { user => { log => 0.002, interval => [-0.01, 0.014] }, kernel => ..., waiting => ... },
#       cpu   => { log => 0.37, interval => [0.34, 0.4] },          user and kernel time together
#       named => ['kernel']
#   }
#
# or { why => 'no CPU time is known' }. A part is the difference of its seconds divided by the logarithmic
# mean of both times, so that the parts of each pair of times add up to their logarithm. A part is named, the
# largest first, if it differs from zero (Holm over the parts) and is a tenth of the whole or more. Most
# kernels divide CPU time into user and kernel time by what runs at each tick of their clock; in few passes
# these two may be uncertain and their sum is not, which is then named: cpu. t/bench/cost-split.pl has the
# figures.
package Touchstone::Compare::CostSplit;
use 5.014;
use strict;
use warnings;

use List::Util qw(max sum);

use Touchstone::Compare::Drift;
use Touchstone::Base::Time qw(@PARTS);
use Touchstone::Score::Cost;
use Touchstone::Stats::Significance;
use Touchstone::Stats qw(median outliers);

# What the parts are called in sentences.
our %TIME = (user => 'user time', kernel => 'kernel time', waiting => 'waiting', cpu => 'CPU time');

# The place of CPU time behind the parts.
my $CPU = @PARTS;

# A smaller part of a difference explains little of it.
my $LEAST = 0.1;

# A part that all tests have in common explains more than this share of the tests and of each of them.
my $MOST = 0.5;

# Shares of tests with one cause differ by so much, and a part is most of them with a chance of 90 %.
my ($LEAST_ERROR, $QUANTILE) = (0.1, 1.28);

# The split of a test, or nothing. `costs` of each run: the passes as Score::Cost has them, or why there are
# none.
sub of_test {
    my ($test, @costs) = @_;
    return undef if @costs != 2 || ($test->{ratio} // 0) <= 0;
    my ($unknown) = grep { $_->{why} } @costs;
    return undef if !$unknown && _are_few(@costs);
    return $unknown ? { why => $unknown->{why} } : split_of($test, map { $_->{passes} } @costs);
}

# Fewer passes have no interval.
sub _are_few {
    return scalar grep { @{ $_->{passes} } < $Touchstone::Stats::FEWEST } @_;
}

# The logarithm of the ratio of the CPU times of an operation, which other work hardly changes:
# { log, interval, p }, or undef if they are unknown.
sub of_cpu_time {
    my ($test, @costs) = @_;
    return undef if @costs != 2 || grep({ $_->{why} } @costs) || _are_few(@costs);
    my @times = map {
        [ map { $_->[0] + $_->[1] } @{ $_->{passes} } ]
    } @costs;
    return undef if grep { $_ <= 0 } map { @$_ } @times;
    my @logs = map {
        [ map { log } @$_ ]
    } @times;
    my ($first, $second) = @logs;
    my $ratio =
        $test->{paired} && @$first == @$second
        ? _mean_of(map { $second->[$_] - $first->[$_] } 0 .. $#$first)
        : Touchstone::Stats::Significance::differ(@logs);
    return { %{ _with_interval($ratio) }, p => $ratio->{p} };
}

# The split of a ratio of speeds; a pass is [user, kernel, waiting].
sub split_of {
    my ($test, $first, $second) = @_;
    my ($whole, @sides) = (-log $test->{ratio}, map { _passes($test, $_) } $first, $second);
    return { why => 'a pass has no CPU time' } if grep { sum(@$_[ 0 .. $#PARTS ]) <= 0 } map { @$_ } @sides;
    my @found = $test->{paired} && @$first == @$second ? _of_pairs(@sides) : _of_sides($whole, @sides);
    my ($cpu, @parts) = @found[ $CPU, 0 .. $#PARTS ];
    _reconcile($whole, @parts);
    $cpu->{difference} = $parts[0]{difference} + $parts[1]{difference};
    if ($test->{drift}) {
        my @shares = Touchstone::Score::Cost::shares(map { [ @$_[ 0 .. $#PARTS ] ] } @{ $sides[0] });
        @found = map { _with_drift($found[$_], $test->{drift}, ($shares[$_] // $shares[0] + $shares[1])) }
            0 .. $CPU;
        ($cpu, @parts) = @found[ $CPU, 0 .. $#PARTS ];
    }
    my @names = _named($whole, @parts);
    push @names, 'cpu'
        if !(grep { $_ ne 'waiting' } @names)
        && _named($whole, $cpu)
        && abs $cpu->{difference} > abs $whole / 2;
    my %parts = map { $PARTS[$_] => _with_interval($parts[$_]) } 0 .. $#PARTS;
    my %log   = (cpu => $cpu->{difference}, map { $_ => $parts{$_}{log} } @PARTS);
    return {
        log   => $whole,
        parts => \%parts,
        cpu   => _with_interval($cpu),
        named => [ sort { abs $log{$b} <=> abs $log{$a} } @names ]
    };
}

# Passes with CPU time as a fourth part. Programs whose CPU time is compared have no waiting time.
sub _passes {
    my ($test, $passes) = @_;
    my $waits = ($test->{base} // '') eq 'cpu' ? 0 : 1;
    return [ map { [ @$_[ 0, 1 ], $waits * $_->[2], $_->[0] + $_->[1] ] } @$passes ];
}

sub _time { my ($pass) = @_; return sum(@$pass[ 0 .. $#PARTS ]) }

sub _with_drift {
    my ($part, $drift, $share) = @_;
    return $part if $drift->{error} * $share == 0;
    return {
        %$part, %{ Touchstone::Compare::Drift::joined($part, { %$drift, error => $drift->{error} * $share }) }
    };
}

# The names of the parts that differ.
sub _named {
    my ($whole, @parts) = @_;
    my @p = Touchstone::Stats::Significance::holm(map { _chance($_) } @parts);
    return map { $PARTS[$_] } grep {
        $p[$_] <= 1 - $Touchstone::Stats::CONFIDENCE && abs $parts[$_]{difference} >= $LEAST * abs $whole
    } 0 .. $#parts;
}

sub _chance {
    my ($part) = @_;
    return Touchstone::Stats::Significance::judged(@$part{qw(difference error freedom)})->{p};
}

sub log_mean {
    my ($one, $other) = @_;
    my $log = log($other / $one);
    return abs $log < 1e-9 ? $one : ($other - $one) / $log;
}

# Passes of a duet ran together, and what disturbed one disturbed the other.
sub _of_pairs {
    my ($first, $second) = @_;
    my @means = map { log_mean(_time($first->[$_]), _time($second->[$_])) } 0 .. $#$first;
    return map {
        my $part  = $_;
        my @parts = map { ($second->[$_][$part] - $first->[$_][$part]) / $means[$_] } 0 .. $#$first;
        _mean_of(@parts)
    } 0 .. $CPU;
}

sub _mean_of {
    my (@differences) = @_;
    return Touchstone::Stats::Significance::paired(@differences) if !outliers(@differences);
    my ($mean, $variance, $freedom) = @{ Touchstone::Stats::Significance::trimmed_mean(@differences) };
    return Touchstone::Stats::Significance::judged($mean, sqrt $variance, $freedom);
}

sub _of_sides {
    my ($whole, @sides) = @_;
    my $time = median(map { _time($_) } @{ $sides[0] });
    my $mean = log_mean($time, $time * exp $whole);
    return map {
        my $part = $_;
        Touchstone::Stats::Significance::differ(
            map {
                [ map { $_->[$part] / $mean } @$_ ]
            } @sides
        )
    } 0 .. $CPU;
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

sub _with_interval {
    my ($part) = @_;
    my ($log, $error, $freedom) = @$part{qw(difference error freedom)};
    my $above = (1 - $Touchstone::Stats::CONFIDENCE) / 2;
    my $half  = $error > 0 ? $error * Touchstone::Stats::Significance::t_quantile($above, $freedom) : 0;
    return { log => $log, interval => [ $log - $half, $log + $half ] };
}

# The logarithm of a part, or of CPU time.
sub log_of {
    my ($split, $name) = @_;
    return ($name eq 'cpu' ? $split->{cpu} : $split->{parts}{$name})->{log};
}

# (part, how many tests it explains, of how many that differ) where one part is most of the difference in most
# of the tests, by the evidence of each or of all together.
sub common_part {
    my (@tests) = @_;
    my @all     = map  { $_->{split} || () } @tests;
    my @splits  = grep { $_->{parts} } @all;
    return if @all < 2;
    my %explained;
    for my $split (@splits) {
        my $part = ($split->{named} || [])->[0] // next;
        $explained{$part}++ if log_of($split, $part) / $split->{log} > $MOST;
    }
    my ($common) = grep { ($explained{$_} // 0) > $MOST * @all } @PARTS;
    $common //= joined_part(@splits) // return;
    my $many = grep { log_of($_, $common) / $_->{log} > $MOST } @splits;
    return $many > $MOST * @all ? ($common, $many, scalar @all) : ();
}

# The part that is most of the differences of all these tests, by the means of their shares; undef if none is.
# CPU time is named if user and kernel time are uncertain, and not if they are known to differ.
sub joined_part {
    my (@splits) = @_;
    my %named    = map  { $_ => 1 } map { @{ $_->{named} || [] } } @splits;
    my ($part)   = grep { _is_most($_, @splits) } @PARTS, $named{user} && $named{kernel} ? () : 'cpu';
    return $part;
}

sub _is_most {
    my ($part, @splits)  = @_;
    my ($sum,  $weights) = (0, 0);
    for my $split (grep { $_->{log} } @splits) {
        my ($low, $high) = @{ ($part eq 'cpu' ? $split->{cpu} : $split->{parts}{$part})->{interval} };
        my $error  = ($high - $low) / 2 / $Touchstone::Stats::NORMAL / abs $split->{log};
        my $weight = 1 / max($LEAST_ERROR, $error)**2;
        $sum     += $weight * log_of($split, $part) / $split->{log};
        $weights += $weight;
    }
    return $weights && $sum / $weights - $QUANTILE / sqrt $weights > $MOST;
}

1;
