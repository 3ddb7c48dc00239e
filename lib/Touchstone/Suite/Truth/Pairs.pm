# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Truth::Pairs - what passes told of pairs of CPUs, and what else was running:
#
#   figures => [ { 'pair-0-4-line' => 64.2, 'pair-0-4-told' => 0 } ]
#
# in several passes gives [ { cpus => [ 0, 4 ], line => 64.5, told => 0, passes => { line => [ 64.2, ... ] }
# } ], with medians of the passes.
package Touchstone::Suite::Truth::Pairs;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

use Touchstone::Base::Untrusted qw(as_hash as_hashes as_number);
use Touchstone::Suite::Truth::Figures qw(median_of);

our @EXPORT_OK = qw(others pairs);

# No figure of a pair is above this.
my $MOST = 1e9;

sub pairs {
    my ($passes) = @_;
    my %pair;
    for my $pass (@$passes) {
        my ($figures) = as_hashes($pass->{figures});
        for my $name (keys %{ as_hash($figures) }) {
            my ($cpu, $other, $what) = $name =~ /\Apair-(\d{1,4})-(\d{1,4})-([a-z]{1,20})\z/a or next;
            my $value = as_number($figures->{$name}, 0, $MOST) // next;
            my $pair  = $pair{ sprintf '%05d %05d', $cpu, $other } ||= { cpus => [ $cpu, $other ] };
            push @{ $pair->{passes}{$what} }, $value;
        }
    }
    return map { _with_medians($pair{$_}) } sort keys %pair;
}

sub _with_medians {
    my ($pair) = @_;
    my $of = $pair->{passes};
    return { %$pair, map { $_ => median_of(@{ $of->{$_} }) } keys %$of };
}

# How many CPUs other programs of this machine used, the median of the passes, or undef.
sub others {
    my ($passes) = @_;
    my @parts;
    for my $counters (map { as_hash($_->{counters}) } @$passes) {
        my ($other, $seconds) = map { as_number($counters->{$_}, 0, $MOST) } qw(other seconds);
        push @parts, $other / $seconds if defined $other && $seconds;
    }
    return median_of(@parts);
}

1;
