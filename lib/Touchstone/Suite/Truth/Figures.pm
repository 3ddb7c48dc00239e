# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Truth::Figures - what the programs of probes told in their passes, also of pairs of CPUs; what else
# was running; and such figures as texts.
package Touchstone::Suite::Truth::Figures;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

use Touchstone::Base::Untrusted qw(as_hash as_hashes as_number as_text);

use Touchstone::Stats;

our @EXPORT_OK = qw(figures if_known median_of others pairs system_fact system_number);

# A fact of the system has at most so many letters.
my $LETTERS = 200;

# Returns the figures of this name, one of each pass that has it, within [least, most].
sub figures {
    my ($passes, $name, $limits) = @_;
    return grep { defined }
        map { my ($first) = as_hashes($_->{figures}); as_number(as_hash($first)->{$name}, $limits) } @$passes;
}

# The middle one, or undef.
sub median_of {
    my (@values) = @_;
    return @values ? Touchstone::Stats::median(@values) : undef;
}

# Returns values in a format, or by a function and with "and", or undef where one of them is not known.
sub if_known {
    my ($as, @values) = @_;
    return undef if grep { !defined } @values;
    return ref $as ? join(' and ', map { $as->($_) } @values) : sprintf $as, @values;
}

# What the system says of itself, as a text or undef.
sub system_fact {
    my ($facts, $name) = @_;
    return as_text(as_hash(as_hash($facts->{equipment})->{truth})->{$name}, $LETTERS);
}

sub system_number {
    my ($facts, $name, $limits) = @_;
    return as_number(as_hash(as_hash($facts->{equipment})->{truth})->{$name}, $limits);
}

# No figure of a pair is above this.
my $MOST = 1e9;

# What passes told of pairs of CPUs:
#
#   figures => [ { 'pair-0-4-line' => 64.2, 'pair-0-4-told' => 0 } ]
#
# in several passes gives [ { cpus => [ 0, 4 ], line => 64.5, told => 0, passes => { line => [ 64.2, ... ] }
# } ], with medians of the passes.
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
    my $passes = $pair->{passes};
    return { %$pair, map { $_ => median_of(@{ $passes->{$_} }) } keys %$passes };
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
