# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::TwoClusters - whether a group is rather two groups: where more than a fifth of the hosts are
# slow, or fast, or a clear gap parts their sorted means. Then nobody is bad, and a fact may tell what divides
# them:
#
#   of({ web1 => { y => -0.08, error => 0.002 }, ... }, { web1 => 'slow', web9 => 'fast' }, 0.03)
#
#   { clusters => [ [ 'web1', 'web4', ... ], [ 'web2', ... ] ],    slower hosts first
#     ratio => 0.92 }                                              of the means of both
package Touchstone::Pack::Fleet::TwoClusters;
use 5.014;
use strict;
use warnings;

use List::Util qw(max sum);

use Touchstone::Compare::Differences;
use Touchstone::Stats qw(mean median);
use Touchstone::Pack::Fleet::Stats::Outliers;
use Touchstone::Pack::Fleet::Stats::Screening;

# More than this part of the hosts is a group of its own, and no more than some far ones.
my $PART = 0.2;

# A gap is clear from so many deviations within both clusters on, over the number of hosts, and from $LEAST.
# It comes about by chance in 1 of 200 groups of 10 or more hosts, and in 1 of 100 of fewer.
my ($CLEAR, $LEAST) = (42, 1);

sub of {
    my ($means, $named, $smallest) = @_;
    my @order = sort { $means->{$a}{y} <=> $means->{$b}{y} || $a cmp $b } keys %$means;
    return if @order < $Touchstone::Pack::Fleet::Stats::Outliers::FEWEST;
    my $place = _gap($means, \@order, $smallest);
    return _clusters($means, [ @order[ 0 .. $place - 1 ] ], [ @order[ $place .. $#order ] ]) if $place;
    for my $kind (qw(slow fast)) {
        my @far  = grep { ($named->{$_} // '') eq $kind } @order;
        my @rest = grep { ($named->{$_} // '') ne $kind } @order;
        return _clusters($means, $kind eq 'slow' ? (\@far, \@rest) : (\@rest, \@far))
            if @far > $PART * @order && @rest;
    }
    return;
}

sub _clusters {
    my ($means,  @clusters) = @_;
    my ($slower, $faster)   = map {
        mean(map { $means->{$_}{y} } @$_)
    } @clusters;
    return { clusters => \@clusters, ratio => exp($slower - $faster) };
}

# The number of hosts before the clearest gap, or 0.
sub _gap {
    my ($means, $order, $smallest) = @_;
    my @y      = map { $means->{$_}{y} } @$order;
    my $floor  = median(map { $means->{$_}{error} // 0 } @$order);
    my $fewest = int($PART * @y) + 1;
    my ($best, $place) = (0, 0);
    for my $k ($fewest .. @y - $fewest) {
        my @parts = ([ @y[ 0 .. $k - 1 ] ], [ @y[ $k .. $#y ] ]);
        my ($below, $above) = map { mean(@$_) } @parts;
        next
            if exp($below - $above) > 1 - $Touchstone::Pack::Fleet::Stats::Screening::IN_THE_MEAN * $smallest;
        my $gap   = $y[$k] - $y[ $k - 1 ];
        my $limit = max($LEAST, $CLEAR / @y) * max($floor, _within(@parts));
        ($best, $place) = ($gap, $k) if $gap > $limit && $gap > $best;
    }
    return $place;
}

# The deviation within clusters.
sub _within {
    my (@parts) = @_;
    my ($squares, $freedom) = (0, 0);
    for my $part (@parts) {
        my $mean = mean(@$part);
        $squares += sum(map { ($_ - $mean)**2 } @$part);
        $freedom += @$part - 1;
    }
    return sqrt($squares / $freedom);
}

# The fact that divides the clusters best, with its values in each: ('kernel', [ '6.1.0-39', '6.1.0-40' ]),
# or nothing. Every host of a cluster must have values that no host of the other has.
sub fact {
    my ($clusters, $facts) = @_;
    my @of   = map { 0 + @$_ } @$clusters;
    my @runs = map { $facts->{$_} } map { @$_ } @$clusters;
    my @found;
    for my $row (Touchstone::Compare::Differences::differences(@runs)) {
        my @values = @{ $row->{values} };
        my (%one, %other);
        $one{$_}++   for @values[ 0 .. $of[0] - 1 ];
        $other{$_}++ for @values[ $of[0] .. $#values ];
        next if grep { $other{$_} } keys %one;
        push @found,
            {
            fact   => $row->{thing},
            values => [ map { join ', ', sort keys %$_ } \%one, \%other ],
            many   => keys(%one) + keys %other
            };
    }
    my ($best) = sort { $a->{many} <=> $b->{many} } @found;
    return $best && $best->{many} < @runs ? ($best->{fact}, $best->{values}) : ();
}

1;
