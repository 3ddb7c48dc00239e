# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Truth::Speeds - the speed of the CPUs over the time of a run:
#
#   { values => [ 1.002, 0.998, ... ],     each as a part of the middle one of its test, in order of time
#     at     => [ 0.4, 1.2, ... ],         seconds since the first of them
#     halves => [ [places], [places] ],    those of two lots of tests, or every other slice
#     kinds  => how many tests, with each copy count
#     seconds => from the first to the end of the last }
#
# A speed is a count for each second of CPU time and of time that the hypervisor took: what other processes
# of this machine took is no matter of the CPUs.
package Touchstone::Suite::Truth::Speeds;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

use Touchstone::Base::Untrusted qw(as_hash as_list as_number as_word);
use Touchstone::Score::Slices;
use Touchstone::Stats qw(median);

my ($TIME, $SECONDS, $COUNT) = ([ 0, 1e11 ], [ 1e-6, 1e7 ], [ 1e-9, 1e18 ]);

# A test computes when nearly all of its CPU time is its own, and it does not sleep for nearly all of the
# time; on a busy machine it may have a CPU for a small part of it.
my ($OWN, $BUSY) = (0.95, 0.03);

# Passes of a test that are enough for a middle one.
my $FEWEST = 4;

# The speeds of all tests that compute; nothing where there are none.
sub of_passes {
    my (@passes) = @_;
    my %of;
    for my $pass (grep { (as_number($_->{round}, 0, 1e6) // 0) > 0 } @passes) {
        my $speed = _speed($pass) or next;
        push @{ $of{ join ' ', as_word($pass->{copies}), as_word($pass->{test}) } }, $speed;
    }
    my @kinds = grep { @{ $of{$_} } >= $FEWEST && _computes(@{ $of{$_} }) } sort keys %of or return;
    my @all   = map  { _relative($_, $of{ $kinds[$_] }) } 0 .. $#kinds;
    return _in_time(scalar @kinds, @all);
}

# The same of the slices of one pass.
sub of_slices {
    my ($pass) = @_;
    my @parts = @{ Touchstone::Score::Slices::parts($pass) || [] };
    my ($time, @all) = (0);
    for my $part (@parts) {
        my ($ns, $count, $cpu) = @$part;
        push @all, { at => $time / 1e9, seconds => $ns / 1e9, speed => $count / $cpu, kind => scalar @all }
            if $count > 0 && ($cpu // 0) > 0;
        $time += $ns;
    }
    return if @all < $FEWEST;
    return _in_time(1, _relative(undef, \@all));
}

sub _sum {
    my ($list) = @_;
    my @values = map { as_number($_, 0, 1e18) } as_list($list);
    return @values && !(grep { !defined } @values) ? sum(@values) : undef;
}

# What a pass did for its CPU time. A result that is a rate already has no count.
sub _speed {
    my ($pass) = @_;
    return if !as_number($pass->{timebase}, 1, 1e9);
    my ($count, $time, $user, $system) = map { _sum($pass->{$_}) } qw(counts times user sys);
    my $started = as_number($pass->{started}, $TIME);
    return if grep { !defined } $count, $time, $user, $system, $started;
    my $cpu = $user + $system;
    return if $count <= 0 || $time <= 0 || $cpu <= 0;
    my $taken = as_number(as_hash($pass->{counters})->{steal}, 0, 1e9) // 0;
    my $spent = $cpu + min($taken, max(0, $time - $cpu));
    return {
        at      => $started,
        seconds => as_number($pass->{seconds}, $SECONDS) // 0,
        speed   => $count / $spent,
        own     => $user / $cpu,
        busy    => $spent / $time
    };
}

sub _computes {
    my (@speeds) = @_;
    return median(map { $_->{own} } @speeds) >= $OWN && median(map { $_->{busy} } @speeds) >= $BUSY;
}

sub _relative {
    my ($kind, $speeds) = @_;
    my $middle = median(map { $_->{speed} } @$speeds);
    return map { +{ %$_, value => $_->{speed} / $middle, kind => $kind // $_->{kind} } } @$speeds;
}

sub _in_time {
    my ($kinds, @all) = @_;
    @all = sort { $a->{at} <=> $b->{at} } @all;
    my $first = $all[0]{at};
    return {
        values => [ map { $_->{value} } @all ],
        at     => [ map { $_->{at} - $first } @all ],
        halves => [
            map {
                my $half = $_;
                [ grep { $all[$_]{kind} % 2 == $half } 0 .. $#all ]
            } 0,
            1
        ],
        kinds   => $kinds,
        seconds => max(map { $_->{at} + $_->{seconds} } @all) - $first
    };
}

1;
