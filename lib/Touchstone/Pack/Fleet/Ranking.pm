# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Ranking - how fast each host of a group is, as a part of the group's median, figure by figure
# and over all. Hosts with their runs go in, which are members (Pack::Fleet::HostRun) of which only the
# figures matter:
#
#   figures({ web1 => [ { figures => { '1 pipe' => { y => 13.2, error => 0.002, passes => 9 } } } ], ... })
#
# makes { '1 pipe' => { web1 => [ { y, error, passes }, ... ], ... }, ... }, with_mean() adds the mean of all
# figures under the name $MEAN, and rank_hosts() ranks the hosts of one of them:
#
#   { web1 => { y => -0.051, error => 0.002, ratio => 0.95, interval => [0.93, 0.97], of_day => 0 }, ... }
#
# An interval says where the host lies in runs on any day, so it holds the scatter between runs: that of its
# own runs from three on, that of all runs of the group below. Where no host has two runs nobody knows that
# scatter. It is at most the scatter of all hosts, which then makes the intervals, and `of_day` is 1: what
# is slow may have been so on that day alone.
package Touchstone::Pack::Fleet::Ranking;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(max min sum);

use Touchstone::Stats qw(deviation mean median);
use Touchstone::Stats::Significance;

our @EXPORT_OK = qw($MEAN figures rank_hosts with_mean);

# The name of the mean of all figures. No figure has it.
our $MEAN = '';

# From so many runs on a host's own tell its scatter.
my $OWN = 3;

# The runs of a group tell the scatter between runs with at least so many degrees of freedom.
my $POOLED = 3;

# Hosts beyond so many deviations do not widen the intervals of the others.
my $FAR = 5;

# Student's t with so many degrees of freedom is normal.
my $NORMAL = 1e6;

# The density of the normal distribution at 0.
my $DENSITY = 0.39894228;

sub figures {
    my ($hosts) = @_;
    my %figures;
    for my $host (sort keys %$hosts) {
        for my $run (@{ $hosts->{$host} }) {
            push @{ $figures{$_}{$host} }, $run->{figures}{$_} for keys %{ $run->{figures} };
        }
    }
    return \%figures;
}

# Adds the mean of the distances from the medians of the figures, run by run, over the figures that a run
# has.
sub with_mean {
    my ($hosts, $figures) = @_;
    my %middle = map { $_ => _middle($figures->{$_}) } keys %$figures;
    my %mean;
    for my $host (sort keys %$hosts) {
        for my $run (grep { %{ $_->{figures} } } @{ $hosts->{$host} }) {
            my @names = sort keys %{ $run->{figures} };
            my @of    = @{ $run->{figures} }{@names};
            my @known = grep { defined } map { $_->{error} } @of;
            push @{ $mean{$host} },
                {
                y      => mean(map { $of[$_]{y} - $middle{ $names[$_] } } 0 .. $#of),
                error  => @known ? sqrt(mean(map { $_**2 } @known) / @of) : undef,
                passes => median(map { $_->{passes} // 1 } @of)
                };
        }
    }
    return { %$figures, $MEAN => \%mean };
}

sub _middle {
    my ($hosts) = @_;
    return median(map { _mean_of($_) } values %$hosts);
}

sub _mean_of {
    my ($runs) = @_;
    return mean(map { $_->{y} } @$runs);
}

sub rank_hosts {
    my ($hosts) = @_;
    my @names   = sort keys %$hosts;
    my %y       = map { $_ => _mean_of($hosts->{$_}) } @names;
    my %error   = map { $_ => _error_of($hosts->{$_}) } @names;
    my $middle  = median(values %y);
    my $pooled  = _pooled(values %$hosts);
    my %scatter = map  { $_ => _scatter($hosts->{$_}, $error{$_}, $pooled) } @names;
    my @spread  = grep { !$scatter{$_} } @names;
    my $spread  = @spread && _spread($middle, @y{@spread});
    my $center =
        _center($middle, map { [ $_, $y{$_}, max(@{ $scatter{$_} }[ 0, 2 ]) ] } grep { $scatter{$_} } @names);
    my %ranked;

    for my $name (@names) {
        my $distance = $y{$name} - $middle;
        my $reach    = $scatter{$name} ? _reach($scatter{$name}, $name, $center, $pooled) : $spread;
        $ranked{$name} = {
            y        => $distance,
            error    => $error{$name},
            ratio    => exp $distance,
            interval => [ map { exp($distance + $_ * $reach) } -1, 1 ],
            of_day   => $scatter{$name} ? 0 : 1
        };
    }
    return \%ranked;
}

# The standard error that passes give to the mean of a host's runs.
sub _error_of {
    my ($runs) = @_;
    return sqrt(sum(map { ($_->{error} // 0)**2 } @$runs)) / @$runs;
}

# The variance between the runs of a host, with its degrees of freedom, of all hosts together; undef where
# too few hosts have two.
sub _pooled {
    my (@hosts) = @_;
    my ($squares, $freedom) = (0, 0);
    for my $runs (grep { @$_ > 1 } @hosts) {
        $squares += (@$runs - 1) * deviation(map { $_->{y} } @$runs)**2;
        $freedom += @$runs - 1;
    }
    return $freedom >= $POOLED ? [ $squares / $freedom, $freedom ] : undef;
}

# The variance of the mean of a host's runs with its degrees of freedom, and that which their passes give it
# at least; or undef.
sub _scatter {
    my ($runs, $error, $pooled) = @_;
    my $variance = @$runs >= $OWN ? [ deviation(map { $_->{y} } @$runs)**2, @$runs - 1 ] : $pooled;
    return $variance && [ $variance->[0] / @$runs, $variance->[1], $error**2 ];
}

# How far an interval reaches, of a host and the group's median together: each has its own limit of t, as
# both have degrees of freedom of their own. One limit by Satterthwaite's held the mean of three runs in 93
# % of cases, one by those of the host alone in 99 %.
sub _reach {
    my ($scatter, $name, $center, $pooled) = @_;
    my ($variance, $freedom, $least) = @$scatter;
    my $width = max(_t($freedom)**2 * $variance, $Touchstone::Stats::NORMAL**2 * $least);
    $width *= max(0, 1 - 2 * ($center->{part}{$name} // 0));
    return sqrt($width + _t($pooled ? $pooled->[1] : $freedom)**2 * $center->{variance});
}

# The variance that runs give to the median of hosts which stay as they are: hosts near the middle change
# sides by chance. It is at most that of a host in the middle. `part` is what a host has in the median, which
# moves with the hosts that are near it.
sub _center {
    my ($middle, @hosts) = @_;
    my ($sides, $density, %density) = (0, 0);
    for my $host (@hosts) {
        my ($name, $y, $variance) = @$host;
        next if $variance <= 0;
        my $away = abs($y - $middle) / sqrt $variance;
        next if $away > $FAR;
        my $below = Touchstone::Stats::Significance::t_above($away, $NORMAL);
        $sides += $below * (1 - $below);
        $density += $density{$name} = $DENSITY * exp(-$away**2 / 2) / sqrt $variance;
    }
    return { variance => 0 } if !@hosts;
    my ($nearest) = map { $_->[2] }
        sort { abs($a->[1] - $middle) <=> abs($b->[1] - $middle) || $b->[2] <=> $a->[2] } @hosts;
    return { variance => $nearest } if $density <= 0;
    return {
        variance => min($nearest, $sides / $density**2),
        part     => { map { $_ => $density{$_} / $density } keys %density }
    };
}

# How far the interval of a host with one run reaches, by the scatter of hosts that are not far.
sub _spread {
    my ($middle, @values) = @_;
    return 0 if @values < 2;
    my $limit = $FAR * $Touchstone::Stats::MAD_TO_DEVIATION * median(map { abs($_ - $middle) } @values);
    my @near  = grep { abs($_ - $middle) <= $limit } @values;
    return _t(@near - 1) * deviation(@near) * sqrt(1 + 1 / @near);
}

my %t;

sub _t {
    my ($freedom) = @_;
    return $t{$freedom} //=
        Touchstone::Stats::Significance::t_quantile((1 - $Touchstone::Stats::CONFIDENCE) / 2, $freedom);
}

1;
