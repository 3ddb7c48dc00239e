# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Stats::VarianceComponents - what part of the scatter of a figure lies between hosts, between
# the runs of a host, and within a run, and how many hosts and runs it therefore takes to see a difference.
# Logarithms of speeds go in, a list of runs for each host:
#
#   components([ [ { y => 0.012, error => 0.002, passes => 9 }, { ... } ], [ { ... } ], ... ])
#
# `error` is the standard error that the passes of a run give its y. Out come standard deviations:
#
#   { hosts  => { sd => 0.011, low => 0.008, high => 0.016 },
#     runs   => { sd => 0.006, ... },     undef where no host has two runs: `hosts` then holds both
#     passes => { sd => 0.003, ... },
#     count  => { hosts => 30, runs => 64, passes => 9 } }
package Touchstone::Pack::Fleet::Stats::VarianceComponents;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(max sum);
use POSIX qw(ceil);

use Touchstone::Base::Random qw(normal);
use Touchstone::Pack::Fleet::Stats::BeforeAfter qw(needed);
use Touchstone::Stats qw(mean);
use Touchstone::Stats::Significance;

our @EXPORT_OK = qw(associate variance_of);

# So many draws make an interval. They follow from a seed, so that the same runs have the same intervals.
my ($DRAWS, $SEED) = (2000, 20261123);

# The mean squares of the design.
my @SQUARES = qw(between within pass);

# The chance to see a difference that is there, and the chance to see one that is not.
our $POWER = 0.8;
my $LEVEL = 0.05;

# The sum of what a normal value exceeds with half of $LEVEL, and with 1 - $POWER.
my $NORMAL = 1.9599 + 0.8416;

# More hosts than these are no plan.
my $MOST = 100_000;

# Returns the components, or nothing for fewer than two hosts.
sub components {
    my ($hosts) = @_;
    return if @$hosts < 2;
    my $squares   = _squares($hosts);
    my %factors   = map { $_ => _factors($_, $squares->{$_}[1]) } grep { $squares->{$_} } @SQUARES;
    my @draws     = map { _estimates(_drawn($squares, \%factors, $_)) } 0 .. $DRAWS - 1;
    my $estimates = _estimates($squares);
    return {
        (
            map {
                my $what = $_;
                $what => defined $estimates->{$what}
                    ? { sd => $estimates->{$what}, _limits(map { $_->{$what} } @draws) }
                    : undef
            } qw(hosts runs passes)
        ),
        count => { map { $_ => $squares->{count}{$_} } qw(hosts runs passes) }
    };
}

# The mean squares of the nested design with their degrees of freedom, as [square, freedom].
sub _squares {
    my ($hosts) = @_;
    my @runs = map { @$_ } @$hosts;
    my ($n, $h) = (scalar @runs, scalar @$hosts);
    my $grand = mean(map { $_->{y} } @runs);
    my ($between, $within) = (0, 0);
    for my $host (@$hosts) {
        my $mean = mean(map { $_->{y} } @$host);
        $between += @$host * ($mean - $grand)**2;
        $within  += ($_->{y} - $mean)**2 for @$host;
    }
    my @repeated = grep { defined $_->{error} && ($_->{passes} // 0) > 1 } @runs;
    my $freedom  = sum(0, map { $_->{passes} - 1 } @repeated);
    my $pass =
        $freedom && sum(map { ($_->{passes} - 1) * $_->{passes} * $_->{error}**2 } @repeated) / $freedom;
    return {
        between => [ $between / ($h - 1), $h - 1 ],
        within  => $n > $h  ? [ $within / ($n - $h), $n - $h ] : undef,
        pass    => $freedom ? [ $pass, $freedom ] : undef,
        error   => mean(map { ($_->{error} // 0)**2 } @runs),
        each    => ($n - sum(map { @$_**2 } @$hosts) / $n) / ($h - 1),
        count   => { hosts => $h, runs => $n, passes => $freedom ? 1 + $freedom / @repeated : undef }
    };
}

# Mean squares as they might truly be, by what their degrees of freedom leave open.
sub _drawn {
    my ($squares, $factors, $draw) = @_;
    my %drawn = %$squares;
    $drawn{$_} = [ $squares->{$_}[0] * $factors->{$_}[$draw], $squares->{$_}[1] ] for keys %$factors;
    $drawn{error} = $squares->{error} * $factors->{pass}[$draw] if $factors->{pass};
    return \%drawn;
}

# Standard deviations from mean squares; none is below 0.
sub _estimates {
    my ($squares) = @_;
    my ($between, $within) = ($squares->{between}[0], $squares->{within} ? $squares->{within}[0] : undef);
    my $below = $within // $squares->{error};
    return {
        hosts  => sqrt max(0, ($between - $below) / $squares->{each}),
        runs   => defined $within  ? sqrt max(0, $within - $squares->{error}) : undef,
        passes => $squares->{pass} ? sqrt $squares->{pass}[0]                 : undef
    };
}

sub _limits {
    my (@drawn) = @_;
    my @sorted  = sort { $a <=> $b } @drawn;
    my $beyond  = (1 - $Touchstone::Stats::CONFIDENCE) / 2;
    return (low => $sorted[ $beyond * @sorted ], high => $sorted[ (1 - $beyond) * @sorted ]);
}

# By what a mean square may be too small: draws of degrees of freedom over chi-square. Those of equal designs
# are made once.
my %factors;

sub _factors {
    my ($what, $freedom) = @_;
    return $factors{"$what $freedom"} //= do {
        my $random = Touchstone::Base::Random::generator($SEED + 1e6 * length($what) + $freedom);
        [ map { $freedom / _chi_square($freedom, $random) } 1 .. $DRAWS ];
    };
}

# A value of the distribution of chi-square: sums of squares, for many degrees of freedom by Wilson and
# Hilferty's cube.
sub _chi_square {
    my ($freedom, $random) = @_;
    if ($freedom > 10) {
        my $part = 2 / (9 * $freedom);
        return $freedom * max(1e-6, 1 - $part + sqrt($part) * normal($random))**3;
    }
    return max(1e-9, sum(map { normal($random)**2 } 1 .. $freedom));
}

# How many hosts see a difference of this part (0.01) with so many runs each: { unpaired => 14, paired => 5
# }, on each of two sides, and before and after on the same hosts. undef: more than anybody has, or nothing is
# known of the scatter between runs, which `paired` needs.
sub hosts_for {
    my ($components, $difference, $runs) = @_;
    my $passes   = $components->{count}{passes} || 1;
    my $host     = $components->{hosts}{sd}**2;
    my $noise    = ($components->{passes} ? $components->{passes}{sd}**2 / $passes : 0) / $runs;
    my $measured = $components->{runs};
    $noise += $measured->{sd}**2 / $runs if $measured;
    return {
        unpaired => scalar _fewest(2 * ($host + $noise), $difference, sub { 2 * $_[0] - 2 }),
        paired   => $measured ? scalar _fewest(2 * $noise, $difference, sub { $_[0] - 1 }) : undef
    };
}

# The fewest hosts for which a difference is seen, where the difference of their means has this variance
# times one over their number. Student's limits are wider than the normal ones, so it takes some more than
# those say.
sub _fewest {
    my ($variance, $difference, $freedom) = @_;
    my $each = $variance / log(1 + $difference)**2;
    my $n    = max(2, ceil($NORMAL**2 * $each));
    $n++ while $n <= $MOST && _limit($freedom->($n))**2 * $each > $n;
    return $n <= $MOST ? $n : undef;
}

my %limit;

sub _limit {
    my ($freedom) = @_;
    return $limit{$freedom} //= Touchstone::Stats::Significance::t_quantile($LEVEL / 2, $freedom) +
        Touchstone::Stats::Significance::t_quantile(1 - $POWER, $freedom);
}

# The variance of a figure says where its scatter lies, and how many hosts and runs it therefore takes to see
# a difference. The runs of hosts go in, as Pack::Fleet::Ranking has them:
#
#   variance_of({ web1 => [ { y => 0.01, error => 0.002, passes => 12 }, ... ], ... })
#
#   { variance => { hosts => { sd => 0.011, low => 0.008, high => 0.016 }, runs => { ... } or undef,
#                   passes => { ... } or undef, count => { hosts => 30, runs => 60, passes => 12 } },
#     plan => [ { difference => 0.01, runs => 2, unpaired => 14, paired => 6 }, ... ] }
#
# With one run a host, `hosts` holds the scatter between runs, too. `paired` are hosts that are measured
# before and after a change; a plan has no fewer than the judgement of a roll-out needs.

# Plans for these differences, with so many runs of each host.
my @DIFFERENCES = (0.01, 0.02, 0.05);
my @RUNS        = (1,    2,    3);

sub variance_of {
    my ($hosts) = @_;
    my $variance = components([ map { $hosts->{$_} } sort keys %$hosts ])
        or return;
    return { variance => $variance, plan => [ map { _plans($variance, $_) } @DIFFERENCES ] };
}

sub _plans {
    my ($variance, $difference) = @_;
    my $needed = needed(1);
    return map {
        my $hosts = hosts_for($variance, $difference, $_);
        {
            difference => $difference,
            runs       => $_,
            unpaired   => $hosts->{unpaired},
            paired     => defined $hosts->{paired} ? max($needed, $hosts->{paired}) : undef
        }
    } @RUNS;
}

# How much of the scatter between hosts goes with a fact about them: the
# part of the variance between the values of the fact (omega squared, which is about 0 where there is nothing,
# unlike eta squared), and the chance that as much comes about when facts are dealt out to hosts at random.
#
#   components([ [ 0.01, 0.02, 0.00 ], [ -0.05, -0.06, -0.04 ] ], $random)
#
# takes the values of hosts, a list for each value of the fact:
#
#   { part => 0.90, p => 0.1 }

# So many deals at random tell a chance of 1 in 1000.
my $DEALS = 1999;

# After so many that reach what was seen the chance is known well enough: no more are dealt (Besag and
# Clifford 1991). Most facts have nothing to do with speed, and need some forty deals.
my $ENOUGH = 20;

# Returns nothing where there is one group, or no host more than groups.
sub associate {
    my ($groups, $random) = @_;
    my @groups = sort { @$a <=> @$b } @$groups;
    my @values = map  { @$_ } @groups;
    my @sizes  = map  { scalar @$_ } @groups;
    return if @sizes < 2 || @values <= @sizes;
    my $grand = mean(@values);
    $_ -= $grand for @values;
    my $total   = sum(map { $_**2 } @values);
    my $between = _between(\@values, @sizes);
    return { part => 0, p => 1 } if $total <= 0;
    my $within = ($total - $between) / (@values - @sizes);
    return {
        part => max(0, ($between - (@sizes - 1) * $within) / ($total + $within)),
        p    => _chance(\@values, \@sizes, $between * (1 - 1e-9), $random)
    };
}

# The part of all deals of these values to groups of these sizes that has so much between the groups.
sub _chance {
    my ($values, $sizes, $seen, $random) = @_;
    my $dealt  = @$values - $sizes->[-1];
    my $as_far = 0;
    for my $deal (1 .. $DEALS) {
        for my $i (0 .. $dealt - 1) {
            my $j = $i + int($random->() * (@$values - $i));
            @$values[ $i, $j ] = @$values[ $j, $i ];
        }
        $as_far++              if _between($values, @$sizes) >= $seen;
        return $as_far / $deal if $as_far == $ENOUGH;
    }
    return ($as_far + 1) / ($DEALS + 1);
}

# The sum of squares between groups of these sizes, of values whose mean is 0: the sum of the last, which is
# the largest, is what the others leave.
sub _between {
    my ($values, @sizes) = @_;
    my $last = pop @sizes;
    my ($weighted, $rest, $between) = (0, 0, 0);
    for my $size (@sizes) {
        my $sum = sum(@$values[ $weighted .. $weighted + $size - 1 ]);
        $rest     += $sum;
        $between  += $sum**2 / $size;
        $weighted += $size;
    }
    return $between + $rest**2 / $last;
}

1;
