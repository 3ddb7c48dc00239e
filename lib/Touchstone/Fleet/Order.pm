# SPDX-License-Identifier: GPL-2.0-or-later
# Fleet::Order - in which order the hosts of a campaign are measured: random, so that what changes in time
# meets all hosts alike, and yet
#
#   - hosts of different groups (the label `group`) alternate, in the measure of how many they are, so that a
#     comparison of groups is none of morning and evening
#   - hosts of one slot stand apart, so that few have to wait for each other
#
# The same hosts and the same seed give the same order.
package Touchstone::Fleet::Order;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Random;

my $GROUP = 'group';

# Takes hosts as { name, slot, labels } and returns them with `order`, from 1 on.
sub ordered {
    my ($seed, @hosts) = @_;
    my $random = Touchstone::Base::Random::generator($seed);
    my %groups;
    for my $host (Touchstone::Base::Random::shuffled($random, sort { $a->{name} cmp $b->{name} } @hosts)) {
        push @{ $groups{ _group($host) } }, $host;
    }
    my @lists = map { [ _spread($random, $groups{$_}) ] } sort keys %groups;
    my @order = _apart(_merged($random, @lists));
    return map { +{ %{ $order[$_] }, order => $_ + 1 } } 0 .. $#order;
}

sub _group { my ($host) = @_; return $host->{labels}{$GROUP} // '' }

# The hosts of a group, those of each slot at equal distances.
sub _spread {
    my ($random, $hosts) = @_;
    my %slots;
    for my $i (0 .. $#$hosts) { push @{ $slots{ $hosts->[$i]{slot} // "\0$i" } }, $hosts->[$i] }
    return _merged($random, map { $slots{$_} } sort keys %slots);
}

# Lists become one in which each is spread evenly, from a random place on.
sub _merged {
    my ($random, @lists) = @_;
    my @placed;
    for my $list (@lists) {
        my $first = $random->();
        push @placed, map { [ ($_ + $first) / @$list, $list->[$_] ] } 0 .. $#$list;
    }
    return map { $_->[1] } sort { $a->[0] <=> $b->[0] || $a->[1]{name} cmp $b->[1]{name} } @placed;
}

# Neighbours in the order that are of one slot: the second changes places with one of its own group, where
# that makes no new ones.
sub _apart {
    my (@order) = @_;
    for my $i (1 .. $#order) {
        next if !_touches(\@order, $i, $i);
        my ($j) = grep {
                   _group($order[$_]) eq _group($order[$i])
                && ($order[$_]{slot} // '') ne $order[$i]{slot}
                && !_touches(\@order, $_, $i)
                && !_touches(\@order, $i, $_)
        } $i + 1 .. $#order, reverse 0 .. $i - 1;
        @order[ $i, $j ] = @order[ $j, $i ] if defined $j;
    }
    return @order;
}

# Says whether the host at one place, put to another, would stand beside one of its slot.
sub _touches {
    my ($order, $from, $to) = @_;
    my $slot = $order->[$from]{slot} // return 0;
    return grep { $_ >= 0 && $_ <= $#$order && $_ != $from && ($order->[$_]{slot} // '') eq $slot } $to - 1,
        $to + 1;
}

1;
