# SPDX-License-Identifier: GPL-2.0-or-later
# Stats::Screening - which of many like hosts are so far from the others, in one figure or in all together,
# that they should be measured again. Hosts and figures go in, as logarithms of speeds with their errors:
#
#   suspects({ web1 => { 'pipe 1' => { y => 13.21, error => 0.002 }, ... }, ... })
#
# and a finding for each host comes out:
#
#   { web1 => { p       => 0.0004,     by chance this far, in the mean or in the worst figure
#               q       => 0.012,      the share of chance among hosts with a p like this
#               suspect => 1,
#               whole   => { distance => -0.04, p => 0.0002, far => 1 },     its mean, a logarithm
#               figures => { 'pipe 1' => { distance => -0.05, p => 0.001, far => 1 }, ... } },
#     ... }
#
# It compares each host with all others (Stats::Outliers). Figures of a host rise and fall together, so hosts
# are corrected for their number, not figures: one slow host with all of its figures would let healthy ones
# through.
package Touchstone::Stats::Screening;
use 5.014;
use strict;
use warnings;

use List::Util qw(min sum);

use Touchstone::Stats qw(mean median);
use Touchstone::Stats::Outliers;

# At most this share of suspects is there by chance.
our $LEVEL = 0.10;

# Smaller distances are of no interest in a figure. The mean of all figures is surer: there it is two thirds.
our $SMALLEST    = 0.03;
our $IN_THE_MEAN = 2 / 3;

sub suspects {
    my ($hosts, %with) = @_;
    my @names    = sort keys %$hosts;
    my $smallest = $with{smallest} // $SMALLEST;
    my %found    = map { $_ => { figures => {} } } @names;
    my %figures  = map { $_ => 1 } map { keys %$_ } values %$hosts;
    for my $figure (sort keys %figures) {
        my @with = grep { $hosts->{$_}{$figure} } @names;
        next if @with < $Touchstone::Stats::Outliers::FEWEST;
        my @deviations = _deviations(map { $hosts->{$_}{$figure} } @with);
        $found{ $with[$_] }{figures}{$figure} = $deviations[$_] for 0 .. $#with;
    }
    my @judged = grep { %{ $found{$_}{figures} } } @names;
    _with_means($hosts, \%found, @judged);
    my @q = Touchstone::Stats::Outliers::share_of_chance(map { $found{$_}{p} } @judged);
    _marked($found{ $judged[$_] }, $q[$_], $smallest) for 0 .. $#judged;
    return { map { $_ => $found{$_} } @judged };
}

sub _deviations {
    my (@values) = @_;
    return
        map { +{ distance => $_->{distance}, p => $_->{p} } }
        Touchstone::Stats::Outliers::deviations([ map { $_->{y} } @values ],
        median(map { $_->{error} // 0 } @values));
}

# Adds the mean distance over all figures, and one p for both ways of being far: the smaller, twice.
sub _with_means {
    my ($hosts, $found, @names) = @_;
    return if !@names;
    for my $name (@names) {
        my @figures = values %{ $found->{$name}{figures} };
        $found->{$name}{whole} = { distance => mean(map { $_->{distance} } @figures), p => 1 };
        $found->{$name}{p}     = Touchstone::Stats::Outliers::simes(map { $_->{p} } @figures);
    }
    return if @names < $Touchstone::Stats::Outliers::FEWEST;
    my @errors = map {
        my $host = $_;
        my @of   = map { $hosts->{$host}{$_}{error} // 0 } keys %{ $found->{$host}{figures} };
        sqrt(sum(map { $_**2 } @of)) / @of
    } @names;
    my @means = Touchstone::Stats::Outliers::deviations([ map { $found->{$_}{whole}{distance} } @names ],
        median(@errors));
    for my $i (0 .. $#names) {
        my $host = $found->{ $names[$i] };
        $host->{whole}{p} = $means[$i]{p};
        $host->{p} = min(1, 2 * min($host->{p}, $means[$i]{p}));
    }
    return;
}

sub _marked {
    my ($host, $q, $smallest) = @_;
    $host->{q} = $q;
    my @names = sort keys %{ $host->{figures} };
    my @own   = Touchstone::Stats::Outliers::share_of_chance(map { $host->{figures}{$_}{p} } @names);
    my $far   = 0;
    for my $i (0 .. $#names) {
        my $figure = $host->{figures}{ $names[$i] };
        $figure->{far} = $own[$i] <= $LEVEL && abs(exp($figure->{distance}) - 1) >= $smallest ? 1 : 0;
        $far ||= $figure->{far};
    }
    my $whole = $host->{whole};
    $whole->{far} =
        $whole->{p} <= $LEVEL && abs(exp($whole->{distance}) - 1) >= $IN_THE_MEAN * $smallest ? 1 : 0;
    $host->{suspect} = $q <= $LEVEL && ($far || $whole->{far}) ? 1 : 0;
    return;
}

1;
