# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Stats::Screening - which of many like hosts are so far from the others, in one figure or in all
# together, that they should be measured again. Hosts and figures go in, as logarithms of speeds with their
# errors:
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
# In a figure that is `divided` hosts are of two kinds: it makes nobody a suspect, and does not count in the
# mean unless all are.
#
# It compares each host with all others (Pack::Fleet::Stats::Outliers). Figures of a host rise and fall
# together, so hosts are corrected for their number, not figures: one slow host with all of its figures would
# let healthy ones through. Hosts of some fleets stray further than normal values, which
# Pack::Fleet::Stats::Screening tells by what they have apart from their means: so whole hosts are taken to
# stray as their single figures do.
package Touchstone::Pack::Fleet::Stats::Screening;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

use Touchstone::Stats qw(mean median);
use Touchstone::Pack::Fleet::Stats::Outliers;

# At most this share of suspects is there by chance.
our $LEVEL = 0.10;

# Smaller distances are of no interest in a figure. The mean of all figures is surer: there it is two thirds.
our $SMALLEST    = 0.03;
our $IN_THE_MEAN = 2 / 3;

# A value is far from the others in what a host has apart from its middle by so many deviations. Where more
# than this part of the hosts is, hosts are of two kinds; a host that is in so many figures, and in such a
# part of them, stands out: long tails strike figures here and there. At most one host of so many does, and
# below $ENOUGH hosts nobody knows.
my ($FAR, $PART, $ENOUGH) = (4, 0.2, 10);
my ($MANY, $OF_FIGURES, $ONE_OF) = (2, 1 / 6, 5);

# The mean has this part of the chance to name a healthy host, the worst figure has the rest: what makes a
# host slow mostly makes all of it slow, and single figures are far enough where they are.
our $OF_THE_MEAN = 0.8;

sub suspects {
    my ($hosts, %with) = @_;
    my @names    = sort keys %$hosts;
    my $smallest = $with{smallest} // $SMALLEST;
    my %found    = map { $_ => { figures => {} } } @names;
    my %figures  = map { $_ => 1 } map { keys %$_ } values %$hosts;
    for my $figure (sort keys %figures) {
        my @with = grep { $hosts->{$_}{$figure} } @names;
        next if @with < $Touchstone::Pack::Fleet::Stats::Outliers::FEWEST;
        my @deviations = _deviations(map { $hosts->{$_}{$figure} } @with);
        $found{ $with[$_] }{figures}{$figure} = $deviations[$_] for 0 .. $#with;
    }
    my @judged = grep { %{ $found{$_}{figures} } } @names;
    my $apart  = _apart(\%found, $smallest, @judged);
    _with_means($hosts, \%found, @judged);
    _with_shares(map { $found{$_} } @judged);
    _by_tail(\%found, $apart, @judged);
    _marked($found{$_}, $smallest) for @judged;
    return { map { $_ => $found{$_} } @judged };
}

sub _deviations {
    my (@values) = @_;
    return Touchstone::Pack::Fleet::Stats::Outliers::deviations([ map { $_->{y} } @values ],
        median(map { $_->{error} // 0 } @values));
}

# Adds the mean distance over all figures.
sub _with_means {
    my ($hosts, $found, @names) = @_;
    for my $name (@names) {
        $found->{$name}{whole} = {
            distance => mean(map { $found->{$name}{figures}{$_}{distance} } _counting($found->{$name})),
            p        => 1
        };
    }
    return if @names < $Touchstone::Pack::Fleet::Stats::Outliers::FEWEST;
    my @errors = map {
        my $host = $_;
        my @of   = map { $hosts->{$host}{$_}{error} // 0 } _counting($found->{$host});
        sqrt(sum(map { $_**2 } @of)) / @of
    } @names;
    my @means =
        Touchstone::Pack::Fleet::Stats::Outliers::deviations([ map { $found->{$_}{whole}{distance} } @names ],
        median(@errors));
    @{ $found->{ $names[$_] }{whole} }{qw(p quotient)} = @{ $means[$_] }{qw(p quotient)} for 0 .. $#names;
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
            Touchstone::Pack::Fleet::Stats::Outliers::simes(map { $host->{figures}{$_}{p} } _counting($host));
        $host->{p} = min(1, $worst / (1 - $OF_THE_MEAN), $host->{whole}{p} / $OF_THE_MEAN);
    }
    my @q = Touchstone::Pack::Fleet::Stats::Outliers::share_of_chance(map { $_->{p} } @hosts);
    $hosts[$_]{q} = $q[$_] for 0 .. $#hosts;
    return;
}

# Values of some fleets stray further than normal ones. Where a host seems far by those, the tail of what the
# others have apart from their means tells how often values lie so far.
sub _by_tail {
    my ($found, $apart, @names) = @_;
    my @far  = grep { $found->{$_}{q} <= $LEVEL } @names;
    my $tail = @far && tail_of($apart) or return;
    for my $name (@far) {
        for my $value ($found->{$name}{whole}, values %{ $found->{$name}{figures} }) {
            $value->{p} =
                max($value->{p}, tail_chance($tail, abs($value->{quotient} // 0), $name));
        }
    }
    _with_shares(map { $found->{$_} } @names);
    return;
}

# What hosts have apart from the middle of their figures, in deviations of each figure:
# { host => [ values ] }. Left out are figures in which hosts are of two kinds, which it marks as divided
# where these differ by what is of interest, and hosts that stand out.
sub _apart {
    my ($found, $smallest, @names) = @_;
    my (%of, %far, %apart);
    for my $name (@names) {
        my $figures = $found->{$name}{figures};
        my $middle  = median(map { $_->{distance} } values %$figures);
        $of{$_}{$name} = $figures->{$_}{distance} - $middle for keys %$figures;
    }
    for my $figure (sort keys %of) {
        my $values = $of{$figure};
        my @far    = _far(%$values);
        if (my ($kind) = grep { @$_ > $PART * keys %$values } @far) {
            my %raw = map { $_ => $found->{$_}{figures}{$figure}{distance} } keys %$values;
            next if _gap(\%raw, @$kind) < -log(1 - $smallest);
            @{ $found->{$_}{figures}{$figure} }{qw(divided p)} = (1, 1) for keys %$values;
            next;
        }
        $far{$_}++ for map { @$_ } @far;
        my $scale = Touchstone::Pack::Fleet::Stats::Outliers::scale(values %$values);
        next if $scale <= 0;
        push @{ $apart{$_} }, $values->{$_} / $scale for keys %$values;
    }
    my @out = sort { $far{$b} <=> $far{$a} || $a cmp $b }
        grep { $far{$_} >= max($MANY, $OF_FIGURES * @{ $apart{$_} || [] }) } keys %far;
    delete @apart{ splice @out, 0, @names / $ONE_OF };
    return \%apart;
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
        Touchstone::Pack::Fleet::Stats::Outliers::share_of_chance(map { $host->{figures}{$_}{p} } @names);
    my $far = 0;
    for my $i (0 .. $#names) {
        my $figure = $host->{figures}{ $names[$i] };
        $figure->{far} = $own[$i] <= $LEVEL && abs(exp($figure->{distance}) - 1) >= $smallest ? 1 : 0;
        $far ||= $figure->{far};
    }
    my $whole = $host->{whole};
    $whole->{far} =
        $whole->{p} <= $LEVEL && abs(exp($whole->{distance}) - 1) >= $IN_THE_MEAN * $smallest ? 1 : 0;
    $host->{suspect} = $host->{q} <= $LEVEL && ($far || $whole->{far}) ? 1 : 0;
    return;
}

# A tail is an estimate, from the values themselves, of how often they are far from the centre: in some fleets
# far more often than normal values. It is made from the deviations of each host from its own mean, figure by
# figure:
#
#   my $tail = tail_of({ web1 => [ 0.3, -1.2, ... ], web2 => [ ... ], ... });
#   tail_chance($tail, 5.2, 'web1')          0.0002
#
# is the part of the values of all but web1 that are larger than 5.2 on either side. Beyond the $FAR largest
# it falls by the power that these show (Hill 1975). A host that is slow in everything leaves this tail as
# it is, since only what is left without its own middle counts; one that is slow in some of its figures does
# not belong in it, or it would hide all hosts that are less slow.

# So many of the largest values tell the power. From more, that of normal values comes out too small, and
# slow hosts would not be found.
my $FARTHEST = 15;

# The power is taken to be smaller by so many standard errors, since a tail that falls slower than it seems
# would name healthy hosts. With less, 8 to 11 % of fleets of 30 with heavy tails had a suspect.
my $ERRORS = 1.5;

# Fewer values than these tell nothing of a tail.
my $FEWEST_IN_TAIL = 200;

# Returns nothing for too few values.
sub tail_of {
    my ($values) = @_;
    my @all = sort { $b->[0] <=> $a->[0] } map {
        my $host = $_;
        map { [ abs $_, $host ] } @{ $values->{$host} }
    } sort keys %$values;
    return if @all < $FEWEST_IN_TAIL;
    return { largest => \@all, count => { map { $_ => scalar @{ $values->{$_} } } keys %$values } };
}

sub tail_chance {
    my ($tail, $size, $without) = @_;
    my $count = @{ $tail->{largest} } - ($tail->{count}{$without} // 0);
    my @far   = map { $_->[0] } _largest($tail, $FARTHEST + 1, $without);
    my $from  = pop @far // 0;
    return 1 if !@far || $from <= 0 || $size <= $from;
    my $sum = sum(map { log($_ / $from) } @far) or return 1;
    return @far / $count * ($from / $size)**((1 - $ERRORS / sqrt @far) * @far / $sum);
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
