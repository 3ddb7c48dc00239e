#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# How often Stats::Screening names healthy hosts, and how often it finds a slow one, beside rules that others
# use, on invented fleets: 24 figures, half of their variance common to a host's figures; hosts differ by 1 %,
# runs of a host by 0.6 %, passes by 1 %, nine passes in a run, one run of each host.
#
#   perl -Ilib t/bench/screening.pl [FLEETS]       how many fleets of 30; others in proportion
#
#   hosts tails  screening      z < -2         MAD > 3.5      IQR 1.5        passes as sample
#      30 normal 0.09 /   8 %   6.4 / 100 %    ...
#
# A cell is the healthy hosts named in a fleet, on average, and how many fleets have one or more.
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);

use Touchstone::Base::Random;
use Touchstone::Stats qw(deviation mean median);
use Touchstone::Stats::Screening;
use Touchstone::Stats::Significance;

my ($FIGURES, $PASSES) = (24, 9);
my ($HOST, $RUN, $PASS) = (0.01, 0.006, 0.01);
my $FLEETS = $ARGV[0] || 200;

my $random = Touchstone::Base::Random::generator(4711);

sub normal { return Touchstone::Base::Random::normal($random) }

# Student's t with three degrees of freedom, of variance 1.
sub heavy {
    return normal() / sqrt(sum(map { normal()**2 } 1 .. 3) / 3) / sqrt 3;
}

my %TAILS = (normal => \&normal, heavy => \&heavy);

# The figures of hosts; the first one is slower by `slow`.
sub fleet {
    my ($n, $tails, $slow) = @_;
    my $draw = $TAILS{$tails};
    my %hosts;
    for my $host (0 .. $n - 1) {
        my @common = ($HOST * $draw->(), $RUN * normal());
        $hosts{ sprintf 'h%04d', $host } = {
            map {
                my $mean = $host == 0 ? log(1 - $slow) : 0;
                $mean += sqrt(0.5) * sum(@common, $HOST * $draw->(), $RUN * normal());
                my @passes = map { $mean + $PASS * normal() } 1 .. $PASSES;
                "f$_" => { y => mean(@passes), error => deviation(@passes) / sqrt $PASSES }
            } 1 .. $FIGURES
        };
    }
    return \%hosts;
}

# Each rule names hosts that are slow in a figure or more.
my @RULES = (
    [
        'screening' => sub {
            my $found = Touchstone::Stats::Screening::suspects($_[0]);
            return grep { $found->{$_}{suspect} } keys %$found;
        }
    ],
    [
        'z < -2' => by_figure(
            sub {
                my ($m, $s) = (mean(@_), deviation(@_));
                return map { $_ < $m - 2 * $s } @_;
            }
        )
    ],
    [
        'MAD > 3.5' => by_figure(
            sub {
                my $m = median(@_);
                my $s = median(map { abs($_ - $m) } @_) / 0.6745;
                return map { abs($_ - $m) > 3.5 * $s } @_;
            }
        )
    ],
    [
        'IQR 1.5' => by_figure(
            sub {
                my @s = sort { $a <=> $b } @_;
                my ($low, $high) = @s[ @s / 4, 3 * @s / 4 ];
                return map { $_ < $low - 1.5 * ($high - $low) || $_ > $high + 1.5 * ($high - $low) } @_;
            }
        )
    ],
    [ 'passes as sample' => \&passes_as_sample ],
);

sub by_figure {
    my ($rule) = @_;
    return sub {
        my ($hosts) = @_;
        my @names = sort keys %$hosts;
        my %named;
        for my $figure (map { "f$_" } 1 .. $FIGURES) {
            my @far = $rule->(map { $hosts->{$_}{$figure}{y} } @names);
            $named{ $names[$_] } = 1 for grep { $far[$_] } 0 .. $#names;
        }
        return keys %named;
    };
}

# What one gets who compares a host's passes with the mean of all, by Student's test at 5 % after Holm.
sub passes_as_sample {
    my ($hosts) = @_;
    my %named;
    for my $figure (map { "f$_" } 1 .. $FIGURES) {
        my $all = mean(map { $_->{$figure}{y} } values %$hosts);
        my @p   = map {
            2 * Touchstone::Stats::Significance::t_above(abs($_->{$figure}{y} - $all) / $_->{$figure}{error},
                $PASSES - 1)
        } map { $hosts->{$_} } sort keys %$hosts;
        my @corrected = Touchstone::Stats::Significance::holm(@p);
        my @names     = sort keys %$hosts;
        $named{ $names[$_] } = 1 for grep { $corrected[$_] < 0.05 } 0 .. $#names;
    }
    return keys %named;
}

sub fleets_of {
    my ($n) = @_;
    my $fleets = int($FLEETS * 30 / $n);
    return $fleets < 3 ? 3 : $fleets > 2 * $FLEETS ? 2 * $FLEETS : $fleets;
}

$| = 1;
printf "hosts tails  fleets %s\n", join ' ', map { sprintf '%-16s', $_->[0] } @RULES;
for my $tails (qw(normal heavy)) {
    for my $n (5, 10, 30, 100, 300, 1000) {
        my $fleets = fleets_of($n);
        my (%named, %any);
        for (1 .. $fleets) {
            my $hosts = fleet($n, $tails, 0);
            for my $rule (@RULES) {
                my $count = () = $rule->[1]->($hosts);
                $named{ $rule->[0] } += $count;
                $any{ $rule->[0] }   += $count > 0;
            }
        }
        printf "%5d %-6s %6d %s\n", $n, $tails, $fleets, join ' ',
            map { sprintf '%-16s', sprintf '%.2f / %3.0f %%', $named{$_} / $fleets, 100 * $any{$_} / $fleets }
            map { $_->[0] } @RULES;
    }
}
print "# how often a slow host is found\n";
for my $n (5, 10, 30, 100) {
    my $fleets = fleets_of($n);
    my @found  = map {
        my $slow = $_;
        100 / $fleets *
            grep { Touchstone::Stats::Screening::suspects(fleet($n, 'normal', $slow))->{h0000}{suspect} }
            1 .. $fleets
    } 0.03, 0.05, 0.10;
    printf "%5d hosts, one slow by 3, 5, 10 %%: %s\n", $n, join ' ', map { sprintf '%3.0f %%', $_ } @found;
}
