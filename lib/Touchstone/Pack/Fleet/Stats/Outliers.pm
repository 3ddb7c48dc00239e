# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Stats::Outliers - values that lie further from the others than chance puts them. Each value is
# compared with the median of the others; the scale is their deviation from it, from $MANY values on without
# those that lie far from it, so that far values do not widen it. In n normal values this quotient is no
# Student's t: for small n it is far larger by chance. @TABLE, made by simulation (t/bench/outliers.pl
# --table), tells how often.
#
#   deviations([0.00, 0.01, -0.01, 0.02, -0.15], 0.003)
#
# gives a list, in the order of the values, of
#
#   { distance => -0.155, quotient => -13.9, p => 0.02 }
package Touchstone::Pack::Fleet::Stats::Outliers;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(max min sum);

use Touchstone::Stats qw(mean median);

our @EXPORT_OK = qw($FEWEST $IN_THE_MEAN $SMALLEST deviations limit scale suspects);

# Fewer values cannot show that one of them is far.
our $FEWEST = 5;

# Values within so many deviations by their median distance from the median tell the scale. Their squares do
# so more surely than the median distance alone, by which one slow host of ten would be missed.
my $NEAR = 5;

# Among fewer values the median distance is often small by chance, so that values seem to lie far and are
# left out: the quotients then scatter so widely that one of 28 would be needed to name one of six. All
# others make the scale there.
my $MANY = 10;

# The chances of the columns of @TABLE.
our @CHANCES = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001);

# A row: the number of values, then what the size of a quotient exceeds with each of these chances.
our @TABLE = (
    [ 5,    0.9785, 2.078, 2.974, 4.011, 5.708, 7.334, 9.348, 12.86, 16.2,  20.43, 27.87, 35.28 ],
    [ 6,    0.8976, 1.836, 2.538, 3.288, 4.422, 5.418, 6.574, 8.415, 10.1,  12.14, 15.41, 18.32 ],
    [ 7,    0.8558, 1.728, 2.35,  2.991, 3.908, 4.675, 5.529, 6.833, 8.01,  9.24,  11.23, 13.12 ],
    [ 8,    0.8241, 1.642, 2.207, 2.77,  3.544, 4.176, 4.856, 5.852, 6.685, 7.662, 9.008, 10.12 ],
    [ 9,    0.8042, 1.593, 2.129, 2.651, 3.352, 3.903, 4.494, 5.334, 6.038, 6.819, 7.915, 8.853 ],
    [ 10,   0.8094, 1.61,  2.166, 2.731, 3.569, 4.349, 5.393, 7.638, 10.62, 15.18, 23.96, 35.1 ],
    [ 11,   0.7893, 1.558, 2.076, 2.585, 3.286, 3.875, 4.567, 5.723, 6.978, 8.728, 12.26, 16.13 ],
    [ 12,   0.7785, 1.53,  2.031, 2.514, 3.172, 3.717, 4.332, 5.352, 6.429, 7.955, 11.02, 14.85 ],
    [ 13,   0.7666, 1.499, 1.98,  2.439, 3.042, 3.518, 4.019, 4.785, 5.474, 6.393, 8.056, 9.837 ],
    [ 14,   0.7591, 1.482, 1.95,  2.394, 2.97,  3.416, 3.884, 4.581, 5.209, 5.978, 7.407, 9.017 ],
    [ 15,   0.7513, 1.461, 1.92,  2.346, 2.894, 3.308, 3.736, 4.34,  4.838, 5.428, 6.42,  7.438 ],
    [ 16,   0.7443, 1.448, 1.899, 2.317, 2.847, 3.245, 3.653, 4.215, 4.687, 5.199, 5.988, 6.682 ],
    [ 17,   0.7394, 1.435, 1.878, 2.286, 2.802, 3.182, 3.561, 4.081, 4.488, 4.946, 5.58,  6.118 ],
    [ 20,   0.728,  1.408, 1.835, 2.224, 2.705, 3.054, 3.4,   3.862, 4.214, 4.588, 5.105, 5.5 ],
    [ 25,   0.7162, 1.378, 1.79,  2.161, 2.614, 2.938, 3.25,  3.653, 3.944, 4.236, 4.626, 4.938 ],
    [ 30,   0.7078, 1.36,  1.763, 2.122, 2.557, 2.862, 3.154, 3.521, 3.8,   4.069, 4.422, 4.662 ],
    [ 50,   0.6938, 1.327, 1.712, 2.052, 2.456, 2.736, 3.005, 3.34,  3.577, 3.804, 4.108, 4.339 ],
    [ 100,  0.6838, 1.304, 1.677, 2.005, 2.388, 2.652, 2.899, 3.205, 3.423, 3.627, 3.89,  4.081 ],
    [ 300,  0.6776, 1.289, 1.656, 1.974, 2.346, 2.602, 2.84,  3.134, 3.333, 3.53,  3.782, 3.965 ],
    [ 1000, 0.6755, 1.284, 1.648, 1.964, 2.332, 2.586, 2.817, 3.1,   3.307, 3.498, 3.747, 3.916 ],
);

# `floor` is what the scale is at least: the standard error that values have anyway.
sub deviations {
    my ($values, $floor) = @_;
    my $n = @$values;
    return map {
        { %$_, p => chance($_->{quotient}, $n) }
    } quotients($values, $floor);
}

# The same without p, for the simulation that makes the table.
sub quotients {
    my ($values, $floor) = @_;
    my $n      = @$values;
    my @order  = sort { $values->[$a] <=> $values->[$b] } 0 .. $n - 1;
    my @sorted = @$values[@order];
    my (%around, @found);
    for my $rank (0 .. $n - 1) {
        my $median   = _median_without(\@sorted, $rank);
        my $around   = $around{$median} ||= _around($median, @sorted);
        my $distance = $sorted[$rank] - $median;
        my $scale    = max(_scale($around, abs $distance), $floor || 0);
        $found[ $order[$rank] ] = {
            distance => $distance,
            quotient => $scale > 0 ? $distance / $scale : $distance ? $distance * 9**9**9 : 0
        };
    }
    return @found;
}

# The distances of values from a point, from the least to the greatest, and the sums of squares up to each.
sub _around {
    my ($point, @values) = @_;
    my @distances = sort { $a <=> $b } map { abs($_ - $point) } @values;
    my @sums      = (0);
    push @sums, $sums[-1] + $_**2 for @distances;
    return { distances => \@distances, sums => \@sums };
}

# The deviation of the others from a point: of those that are not far by their median distance.
sub _scale {
    my ($around, $spread)  = @_;
    my ($distances, $sums) = @$around{qw(distances sums)};
    my $median = _median_without($distances, _rank_of($spread, $distances));
    my $limit  = @$distances < $MANY ? 9**9**9 : $NEAR * $Touchstone::Stats::MAD_TO_DEVIATION * $median;
    my $near   = _rank_of($limit, $distances);
    $near++ while $near < @$distances && $distances->[$near] <= $limit;
    my ($sum, $count) =
        $spread <= $limit ? ($sums->[$near] - $spread**2, $near - 1) : ($sums->[$near], $near);
    return $count > 0 ? sqrt(max(0, $sum) / $count) : 0;
}

# The deviation of values from their median, without those that are far by their median distance.
sub scale {
    my (@values)  = @_;
    my $median    = median(@values);
    my @distances = map { abs($_ - $median) } @values;
    my $limit = @values < $MANY ? 9**9**9 : $NEAR * $Touchstone::Stats::MAD_TO_DEVIATION * median(@distances);
    return sqrt mean(map { $_**2 } grep { $_ <= $limit } @distances);
}

# The median of a sorted list without the value at one place.
sub _median_without {
    my ($sorted, $left_out) = @_;
    my $rest = @$sorted - 1;
    my $high = $rest >> 1;
    my $low  = $rest % 2 ? $high : $high - 1;
    return ($sorted->[ $low + ($low >= $left_out) ] + $sorted->[ $high + ($high >= $left_out) ]) / 2;
}

# The first place in a sorted list that is not below a value.
sub _rank_of {
    my ($value, $sorted) = @_;
    my ($low,   $high)   = (0, scalar @$sorted);
    while ($low < $high) {
        my $middle = ($low + $high) >> 1;
        if   ($sorted->[$middle] < $value) { $low  = $middle + 1 }
        else                               { $high = $middle }
    }
    return $low;
}

# The chance that among n values a quotient is at least this large, on either side.
sub chance {
    my ($quotient, $n) = @_;
    my $size = abs $quotient;
    return 0 if $size == 9**9**9;
    my @limits = _limits($n);
    return 1 if $size <= 0;

    # Below the first limit the chance falls evenly from 1.
    return 1 - (1 - $CHANCES[0]) * $size / $limits[0] if $size <= $limits[0];

    # Between two limits, and beyond the last, it falls by a power of the quotient, as Student's does. Beyond
    # the last that is too slow for many values, and so errs on the side of chance.
    my $right = 1;
    $right++ while $right < $#limits && $limits[$right] < $size;
    my ($x, $y) = map { [ log $limits[$_], log $CHANCES[$_] ] } $right - 1, $right;
    return exp($x->[1] + ($y->[1] - $x->[1]) * (log($size) - $x->[0]) / ($y->[0] - $x->[0]));
}

# The size of a quotient that one of n values exceeds with this chance.
sub limit {
    my ($p,   $n)    = @_;
    my ($low, $high) = (0, 1);
    $high *= 2 while chance($high, $n) > $p;
    for (1 .. 40) {
        my $middle = ($low + $high) / 2;
        if   (chance($middle, $n) > $p) { $low  = $middle }
        else                            { $high = $middle }
    }
    return $high;
}

# The limits for n values: between two rows in a straight line over 1/n.
sub _limits {
    my ($n) = @_;
    $n = max($n, $TABLE[0][0]);
    my ($below) = grep { $_->[0] <= $n } reverse @TABLE;
    my ($above) = grep { $_->[0] >= $n } @TABLE;
    $above //= $below;
    my $part =
        $above->[0] == $below->[0] ? 0 : (1 / $below->[0] - 1 / $n) / (1 / $below->[0] - 1 / $above->[0]);
    return map { $below->[$_] + $part * ($above->[$_] - $below->[$_]) } 1 .. @CHANCES;
}

# One chance for several p-values of the same thing (Simes 1986).
sub simes {
    my (@p) = sort { $a <=> $b } @_;
    return min(1, map { $p[$_] * @p / ($_ + 1) } 0 .. $#p);
}

# Returns p-values corrected so that among those below a level at most that share is there by chance, in the
# same order (Benjamini and Hochberg 1995).
sub share_of_chance {
    my (@p) = @_;
    my @order = sort { $p[$b] <=> $p[$a] } 0 .. $#p;
    my ($least, @corrected) = (1);
    for my $rank (0 .. $#order) {
        $least = min($least, $p[ $order[$rank] ] * @p / (@p - $rank));
        $corrected[ $order[$rank] ] = $least;
    }
    return @corrected;
}

# Which of many like hosts are so far from the others, in one figure or in all
# together, that they should be measured again. Hosts and figures go in, as logarithms of speeds with their
# errors:
#
#   suspects({ web1 => { 'pipe 1' => { y => 13.21, error => 0.002 }, ... }, ... })
#
# and a finding for each host comes out:
#
#   { web1 => { p       => 0.0004,     by chance this far, in the mean or in the worst figure
#               q       => 0.012,      the share of chance among hosts with a p like this
#               suspect => 1,          worth a retest
#               certain => 1,          an outlier by the strict rule
#               whole   => { distance => -0.04, p => 0.0002, far => 1, reach => 0.03, limit => 0.05 },
#               figures => { 'pipe 1' => { distance => -0.05, p => 0.001, far => 1, limit => 0.06 }, ... } },
#     ... }
#
# `whole` is its mean. All distances are logarithms: from `reach` on a host is suspect, and new runs of a
# suspect beyond `limit` are outside of what these hosts differ by.
#
# In a figure that is `divided` hosts are of two kinds: it makes nobody a suspect, and does not count in the
# mean unless all are.
#
# It compares each host with all others. Figures of a host rise and fall
# together, so hosts are corrected for their number, not figures: one slow host with all of its figures would
# let healthy ones through. Hosts of some fleets stray further than normal values, which
# is visible in what they have apart from their means: so whole hosts are taken to
# stray as their single figures do.

# At most this share of the hosts that are certain is there by chance.
my $LEVEL = 0.10;

# A retest is cheap, so a host becomes suspect sooner: if its mean is one that chance gives to less than this
# number of hosts per fleet, half of them slow. t/bench/fleet-power.pl has the operating curve.
my $SUSPICION = 0.17;

# New runs that make a host bad lie beyond what chance gives to less than this number of hosts per fleet.
my $BEYOND = 0.06;

# Smaller distances are of no interest in a figure. The mean of all figures is surer: there it is two thirds.
our $SMALLEST    = 0.03;
our $IN_THE_MEAN = 2 / 3;

# A value is far from the others in what a host has apart from its middle by so many deviations. Where more
# than this part of the hosts is, hosts are of two kinds; a host that is in so many figures, and in such a
# part of them, stands out: long tails strike figures here and there. At most one host of so many does, and
# below $ENOUGH hosts nobody knows.
my ($FAR, $PART, $ENOUGH) = (4, 0.2, 10);
my ($MANY_FIGURES, $OF_FIGURES, $ONE_OF) = (2, 1 / 6, 5);

# The mean has this part of the chance to name a healthy host, the worst figure has the rest: what makes a
# host slow mostly makes all of it slow, and single figures are far enough where they are.
my $OF_THE_MEAN = 0.8;

# The power of the tail is estimated from this number of the largest values, or this part of all. With more
# values, that of normal values is estimated too small, and slow hosts are missed. The estimate is reduced by
# `errors` standard errors, because an overestimated power makes healthy hosts suspect. With less than 1.5 in
# the strict rule, 8 to 11 % of fleets of 30 with heavy tails had a host that was certain.
my $STRICT = { farthest => 15, part => 0, errors => 1.5 };
my $MILD   = { farthest => 25, part => 1 / 16, errors => 0.5 };

# Fewer values than these tell nothing of a tail.
my ($FEWEST_IN_TAIL, $FEWEST_IN_MILD) = (200, 100);

sub suspects {
    my ($hosts, %with) = @_;
    my @names    = sort keys %$hosts;
    my $smallest = $with{smallest} // $SMALLEST;
    my %found    = map { $_ => { figures => {} } } @names;
    my %figures  = map { $_ => 1 } map { keys %$_ } values %$hosts;
    for my $figure (sort keys %figures) {
        my @with = grep { $hosts->{$_}{$figure} } @names;
        next if @with < $FEWEST;
        my @deviations = _deviations(map { $hosts->{$_}{$figure} } @with);
        $found{ $with[$_] }{figures}{$figure} = $deviations[$_] for 0 .. $#with;
    }
    my @judged = grep { %{ $found{$_}{figures} } } @names;
    my $spans  = _separate(\%found, $smallest, @judged);
    _with_means($hosts, \%found, @judged);
    _with_shares(map { $found{$_} } @judged);
    my $tail = tail_of($spans, $FEWEST_IN_MILD);
    _by_tail(\%found, $tail, @judged);
    _marked($found{$_}, $smallest) for @judged;
    _suspected(\%found, $tail, $smallest, @judged);
    return { map { $_ => $found{$_} } @judged };
}

sub _deviations {
    my (@values) = @_;
    return deviations([ map { $_->{y} } @values ], median(map { $_->{error} // 0 } @values));
}

# Adds the mean distance over all figures.
sub _with_means {
    my ($hosts, $result, @names) = @_;
    for my $name (@names) {
        $result->{$name}{whole} = {
            distance => mean(map { $result->{$name}{figures}{$_}{distance} } _counting($result->{$name})),
            p        => 1
        };
    }
    return if @names < $FEWEST;
    my @errors = map {
        my $host = $_;
        my @of   = map { $hosts->{$host}{$_}{error} // 0 } _counting($result->{$host});
        sqrt(sum(map { $_**2 } @of)) / @of
    } @names;
    my @means = deviations([ map { $result->{$_}{whole}{distance} } @names ], median(@errors));
    @{ $result->{ $names[$_] }{whole} }{qw(p quotient)} = @{ $means[$_] }{qw(p quotient)} for 0 .. $#names;
    return;
}

# The figures of a host that count in its mean.
sub _counting {
    my ($host)  = @_;
    my $figures = $host->{figures};
    my @one     = grep { !$figures->{$_}{divided} } sort keys %$figures;
    return @one ? @one : sort keys %$figures;
}

# One p for both ways of being far, each with its part of the chance; and what share of chance that makes
# among all hosts.
sub _with_shares {
    my (@hosts) = @_;
    for my $host (@hosts) {
        my $worst =
            simes(map { $host->{figures}{$_}{p} } _counting($host));
        $host->{p} = min(1, $worst / (1 - $OF_THE_MEAN), $host->{whole}{p} / $OF_THE_MEAN);
    }
    my @q = share_of_chance(map { $_->{p} } @hosts);
    $hosts[$_]{q} = $q[$_] for 0 .. $#hosts;
    return;
}

# Values of some fleets stray further than normal ones. Where a host seems far by those, the tail of what the
# others have apart from their means tells how often values lie so far.
sub _by_tail {
    my ($result, $tail, @names) = @_;
    my @far = grep { $result->{$_}{q} <= $LEVEL } @names;
    return if !@far || !$tail || @{ $tail->{largest} } < $FEWEST_IN_TAIL;
    for my $name (@far) {
        for my $value ($result->{$name}{whole}, values %{ $result->{$name}{figures} }) {
            $value->{p} =
                max($value->{p}, tail_chance($tail, abs($value->{quotient} // 0), $name));
        }
    }
    _with_shares(map { $result->{$_} } @names);
    return;
}

# What hosts have apart from the middle of their figures, in deviations of each figure:
# { host => [ values ] }. Left out are figures in which hosts are of two kinds, which it marks as divided
# where these differ by what is of interest, and hosts that stand out.
sub _separate {
    my ($result, $smallest, @names) = @_;
    my (%of, %far, %spans);
    for my $name (@names) {
        my $figures = $result->{$name}{figures};
        my $middle  = median(map { $_->{distance} } values %$figures);
        $of{$_}{$name} = $figures->{$_}{distance} - $middle for keys %$figures;
    }
    for my $figure (sort keys %of) {
        my $values = $of{$figure};
        my @far    = _far(%$values);
        if (my ($kind) = grep { @$_ > $PART * keys %$values } @far) {
            my %raw = map { $_ => $result->{$_}{figures}{$figure}{distance} } keys %$values;
            next if _gap(\%raw, @$kind) < -log(1 - $smallest);
            @{ $result->{$_}{figures}{$figure} }{qw(divided p)} = (1, 1) for keys %$values;
            next;
        }
        $far{$_}++ for map { @$_ } @far;
        my $scale = scale(values %$values);
        next if $scale <= 0;
        push @{ $spans{$_} }, $values->{$_} / $scale for keys %$values;
    }
    my @out = sort { $far{$b} <=> $far{$a} || $a cmp $b }
        grep { $far{$_} >= max($MANY_FIGURES, $OF_FIGURES * @{ $spans{$_} || [] }) } keys %far;
    delete @spans{ splice @out, 0, @names / $ONE_OF };
    return \%spans;
}

# The hosts that are far below the others in a figure, and those that are far above. The shortest half of all
# tells how far that is: it does not grow with the others as long as these are no more than half.
sub _far {
    my (%values) = @_;
    my @sorted = sort { $a <=> $b } values %values;
    return if @sorted < $ENOUGH;
    my $half = int((@sorted + 1) / 2);
    my ($first) = sort { $sorted[ $a + $half - 1 ] - $sorted[$a] <=> $sorted[ $b + $half - 1 ] - $sorted[$b] }
        0 .. @sorted - $half;
    my ($low, $high) = @sorted[ $first, $first + $half - 1 ];
    my $middle = ($low + $high) / 2;
    my $limit  = $FAR * $Touchstone::Stats::MAD_TO_DEVIATION * ($high - $low) / 2;
    return (
        [ grep { $values{$_} < $middle - $limit } keys %values ],
        [ grep { $values{$_} > $middle + $limit } keys %values ]
    );
}

# By how much hosts differ from the others, by the medians of both.
sub _gap {
    my ($values, @hosts) = @_;
    my %are    = map  { $_ => 1 } @hosts;
    my @others = grep { !$are{$_} } keys %$values;
    return abs(median(@$values{@hosts}) - median(@$values{@others}));
}

sub _marked {
    my ($host, $smallest) = @_;
    my @names = sort keys %{ $host->{figures} };
    my @own =
        share_of_chance(map { $host->{figures}{$_}{p} } @names);
    my $far = 0;
    for my $i (0 .. $#names) {
        my $figure = $host->{figures}{ $names[$i] };
        $figure->{far} = $own[$i] <= $LEVEL && abs(exp($figure->{distance}) - 1) >= $smallest ? 1 : 0;
        $far ||= $figure->{far};
    }
    my $whole = $host->{whole};
    $whole->{far} =
        $whole->{p} <= $LEVEL && abs(exp($whole->{distance}) - 1) >= $IN_THE_MEAN * $smallest ? 1 : 0;
    $host->{suspect} = $host->{certain} = $host->{q} <= $LEVEL && ($far || $whole->{far}) ? 1 : 0;
    return;
}

# Adds the suspects that are not certain, how far a host must be to be one, and beyond what its new runs must
# be.
sub _suspected {
    my ($result, $tail, $smallest, @names) = @_;
    my $hosts = @names;
    return if $hosts < $FEWEST;
    my $least = -log(1 - $IN_THE_MEAN * $smallest);
    my $reach = _far_from($SUSPICION / $hosts,             $hosts, $tail, '', $MILD);
    my $limit = _far_from($BEYOND * $OF_THE_MEAN / $hosts, $hosts, $tail, '', $STRICT);
    for my $name (@names) {
        my ($host, $whole) = ($result->{$name}, $result->{$name}{whole});
        my $unit = _unit($whole);
        $whole->{reach}  = max($least, $reach * $unit);
        $whole->{limit}  = $limit * $unit;
        $host->{suspect} = $whole->{far} = 1
            if abs($whole->{distance}) >= $least
            && chance($whole->{quotient} // 0, $hosts) * $hosts <= $SUSPICION
            && abs($whole->{quotient}) >= _far_from($SUSPICION / $hosts, $hosts, $tail, $name, $MILD);
        _limited($host, $hosts, $tail, $name) if $host->{suspect};
    }
    return;
}

# What one unit of a quotient is.
sub _unit {
    my ($value) = @_;
    return $value->{quotient} ? abs($value->{distance} / $value->{quotient}) : 0;
}

# The strict rule as distances: the mean has its part of the chance, and the figures that are far the rest.
sub _limited {
    my ($host, $hosts, $tail, $name) = @_;
    my @figures = values %{ $host->{figures} };
    my @far     = grep { $_->{far} } @figures;
    my $whole   = $host->{whole};
    $whole->{limit} =
        _unit($whole) * _far_from($BEYOND * $OF_THE_MEAN / $hosts, $hosts, $tail, $name, $STRICT);
    return if !@far;
    my $chance = $BEYOND * (1 - $OF_THE_MEAN) * @far / @figures / $hosts;
    my $limit  = _far_from($chance, $hosts, $tail, $name, $STRICT);
    $_->{limit} = $limit * _unit($_) for @far;
    return;
}

# The quotient that values exceed with this chance, by the table and by the tail.
sub _far_from {
    my ($chance, $hosts, $tail, $name, $rule) = @_;
    my $limit = limit($chance, $hosts);
    return $tail ? max($limit, tail_limit($tail, $chance, $name, $rule)) : $limit;
}

# A tail is an estimate, from the values themselves, of how often they are far from the centre: in some fleets
# far more often than normal values. It is made from the deviations of each host from its own mean, figure by
# figure:
#
#   my $tail = tail_of({ web1 => [ 0.3, -1.2, ... ], web2 => [ ... ], ... });
#   tail_chance($tail, 5.2, 'web1')          0.0002
#
# is the part of the values of all but web1 that are larger than 5.2 on either side. Beyond the largest of
# them it falls by the power that these show (Hill 1975). A host that is slow in everything leaves this tail
# as it is, since only what is left without its own middle counts; one that is slow in some of its figures
# does not belong in it, or it would hide all hosts that are less slow.

# Returns nothing for too few values.
sub tail_of {
    my ($values, $fewest) = @_;
    my @all = sort { $b->[0] <=> $a->[0] } map {
        my $host = $_;
        map { [ abs $_, $host ] } @{ $values->{$host} }
    } sort keys %$values;
    return if @all < ($fewest // $FEWEST_IN_TAIL);
    return { largest => \@all, count => { map { $_ => scalar @{ $values->{$_} } } keys %$values } };
}

sub tail_chance {
    my ($tail, $size, $without) = @_;
    my $power = _power($tail, $without, $STRICT) or return 1;
    return 1 if $size <= $power->{from};
    return $power->{part} * ($power->{from} / $size)**$power->{power};
}

# The size that values of all hosts but one exceed with this chance, or 0 where these do not tell.
sub tail_limit {
    my ($tail, $chance, $without, $rule) = @_;
    my $power = _power($tail, $without, $rule) or return 0;
    return $power->{from} * max(1, $power->{part} / $chance)**(1 / $power->{power});
}

# From where on a tail falls by what power, and which part of the values is there.
sub _power {
    my ($tail, $without, $rule) = @_;
    my $count = @{ $tail->{largest} } - ($tail->{count}{$without} // 0);
    my @far =
        map { $_->[0] } _largest($tail, 1 + max($rule->{farthest}, int($rule->{part} * $count)), $without);
    my $from = pop @far // 0;
    return if !@far || $from <= 0;
    my $sum = sum(map { log($_ / $from) } @far) or return;
    return {
        from  => $from,
        part  => @far / $count,
        power => (1 - $rule->{errors} / sqrt @far) * @far / $sum
    };
}

# Up to so many of the largest values of all hosts but one.
sub _largest {
    my ($tail, $most, $without) = @_;
    my @found;
    for my $value (@{ $tail->{largest} }) {
        next if $value->[1] eq $without;
        push @found, $value;
        last if @found == $most;
    }
    return @found;
}

1;
