# SPDX-License-Identifier: GPL-2.0-or-later
# Fleet::Rollout::Hosts - which groups of hosts, and which hosts, a change met in another way than the others:
# of the pairs of Fleet::Rollout::Pairs, as Fleet::Rollout lists them.
package Touchstone::Fleet::Rollout::Hosts;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Random;
use Touchstone::Fleet::Rollout::Figures;
use Touchstone::Stats qw(mean);
use Touchstone::Stats::Association;
use Touchstone::Stats::BeforeAfter;
use Touchstone::Stats::Screening;

# Groups of fewer hosts are not compared with others.
my $IN_GROUP = 3;

# Hosts whose change is unlike that of the others.
sub moved {
    my ($keys, @hosts) = @_;
    my %of;
    for my $i (0 .. $#hosts) {
        my ($change, $error) = @{ $hosts[$i] }{qw(change error)};
        my %figures = map { $_ => { y => $change->{$_}, error => $error->{$_} } }
            grep { defined $change->{$_} } @$keys;
        $of{$i} = \%figures if %figures;
    }
    my $found = Touchstone::Stats::Screening::suspects(\%of);
    my @moved = map { _moved($hosts[$_], $found->{$_}) } grep { $found->{$_}{suspect} } keys %$found;
    return [ sort { $a->{ratio} <=> $b->{ratio} || $a->{host} cmp $b->{host} } @moved ];
}

sub _moved {
    my ($pair, $found) = @_;
    my $its = $found->{figures};
    my @far = sort { $its->{$a}{distance} <=> $its->{$b}{distance} || $a cmp $b }
        grep { $its->{$_}{far} } keys %$its;
    return {
        host    => $pair->{host},
        ratio   => exp $found->{whole}{distance},
        figures => [
            map {
                my $figure = $pair->{had}{$_};
                +{ (map { $_ => $figure->{$_} } qw(name copies)), ratio => exp $its->{$_}{distance} }
            } @far
        ]
    };
}

# What the change did to each group of hardware, and whether it did the same to all: ({ p, part } or undef,
# [ groups ]).
sub groups {
    my ($keys, $hosts, $control) = @_;
    my $drift = Touchstone::Fleet::Rollout::Figures::row_of_all($keys, [], $control)->{control};
    my %of;
    for my $pair (@$hosts) {
        my $change = Touchstone::Fleet::Rollout::Figures::mean_of($keys, $pair) // next;
        push @{ $of{ $pair->{group} } }, $change;
    }
    my @titles = sort { @{ $of{$b} } <=> @{ $of{$a} } || $a cmp $b } keys %of;
    my @large  = map  { [ @{ $of{$_} } ] } grep { @{ $of{$_} } >= $IN_GROUP } @titles;
    my $differ =
        @large > 1
        ? Touchstone::Stats::Association::of(\@large, Touchstone::Base::Random::generator(1))
        : undef;
    return ($differ, [ map { _group($_, $of{$_}, $drift) } @titles ]);
}

sub _group {
    my ($title, $changes, $drift) = @_;
    my $found =
        Touchstone::Fleet::Rollout::Figures::shown(Touchstone::Stats::BeforeAfter::change($changes, $drift));
    return {
        title    => $title,
        hosts    => scalar @$changes,
        ratio    => $found->{ratio} // exp mean(@$changes),
        interval => $found->{interval}
    };
}

1;
