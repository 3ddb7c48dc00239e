# SPDX-License-Identifier: GPL-2.0-or-later
# Stats::Tail - how often values of a kind stray far, as they themselves show: in some fleets far more often
# than normal values do. What a host has apart from its mean goes in, in deviations of each figure:
#
#   my $tail = of({ web1 => [ 0.3, -1.2, ... ], web2 => [ ... ], ... });
#   chance($tail, 5.2, 'web1')          0.0002
#
# is the part of the values of all but web1 that are larger than 5.2 on either side. Beyond the $FAR largest
# it falls by the power that these show (Hill 1975). A host that is slow in everything leaves this tail as
# it is, since only what is left without its own middle counts; one that is slow in some of its figures does
# not belong in it, or it would hide all hosts that are less slow.
package Touchstone::Stats::Tail;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);

# So many of the largest values tell the power. From more, that of normal values comes out too small, and
# slow hosts would not be found.
my $FAR = 15;

# The power is taken to be smaller by so many standard errors, since a tail that falls slower than it seems
# would name healthy hosts. With less, 8 to 11 % of fleets of 30 with heavy tails had a suspect.
my $ERRORS = 1.5;

# Fewer values than these tell nothing of a tail.
my $FEWEST = 200;

# Returns nothing for too few values.
sub of {
    my ($values) = @_;
    my @all = sort { $b->[0] <=> $a->[0] } map {
        my $host = $_;
        map { [ abs $_, $host ] } @{ $values->{$host} }
    } sort keys %$values;
    return if @all < $FEWEST;
    return { largest => \@all, count => { map { $_ => scalar @{ $values->{$_} } } keys %$values } };
}

sub chance {
    my ($tail, $size, $without) = @_;
    my $count = @{ $tail->{largest} } - ($tail->{count}{$without} // 0);
    my @far   = map { $_->[0] } _largest($tail, $FAR + 1, $without);
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
