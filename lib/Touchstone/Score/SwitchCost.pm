# SPDX-License-Identifier: GPL-2.0-or-later
# Score::SwitchCost - what a program loses after it gets the CPU back from a program of another build: its
# data are no longer in the caches. That is measured from the looks that turns have (src/turn.h), and the
# part of a turn in which it shows is left out of what is compared, for all sides alike.
#
# Time is CPU time here, because what other processes take meanwhile warms no cache. A bin is a tenth of a
# turn.
package Touchstone::Score::SwitchCost;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Stats qw(median);

# A turn's first half is looked at, its second half is what a program does when it is warm.
my $BINS = 10;
my $HALF = $BINS / 2;

# A bin is warm when the median of its speeds is this near to the later ones, or nearer than chance makes it.
# Before so many speeds are known, $UNKNOWN bins are left out.
my $NEAR    = 0.003;
my $FEW     = 20;
my $UNKNOWN = 1;

# So many speeds of a bin are kept.
my $KEPT = 400;

# `length`: seconds of a turn
sub new {
    my ($class, $length) = @_;
    return bless { bin => $length * 1e9 / $BINS, speeds => [], gaps => [] }, $class;
}

# Adds the turns of a round, [ns, sleeps, looks] of one copy of each side.
sub add {
    my ($self, @turns) = @_;
    my @sorted = sort { $a->[0] <=> $b->[0] } @turns;
    my $end;
    for my $turn (@sorted) {
        my @looks = map { [ split /:/ ] } split / /, $turn->[2];
        push @{ $self->{gaps} }, $turn->[0] - $end if defined $end;
        $end = $turn->[0] + $looks[-1][0];
        $self->_add_speeds(@looks);
    }
    splice @{ $self->{gaps} }, 0, -$KEPT if @{ $self->{gaps} } > $KEPT;
    return;
}

sub _add_speeds {
    my ($self, @looks) = @_;
    my ($begin) = grep { $_->[1] >= $HALF * $self->{bin} } @looks;
    my $late    = _speed($begin // $looks[0], $looks[-1]) or return;
    my $from    = [ 0, 0, 0 ];
    for my $look (@looks) {
        my $bin   = int(($from->[1] + $look->[1]) / 2 / $self->{bin});
        my $speed = _speed($from, $look);
        $from = $look;
        last if $bin >= $HALF;
        my $speeds = $self->{speeds}[$bin] //= [];
        push @$speeds, log($speed / $late) if $speed;
        shift @$speeds if @$speeds > $KEPT;
    }
    return;
}

sub _speed {
    my ($from, $to)    = @_;
    my ($cpu,  $count) = ($to->[1] - $from->[1], $to->[2] - $from->[2]);
    return $cpu > 0 && $count > 0 ? $count / $cpu : 0;
}

# Returns the nanoseconds of CPU time that are left out at the beginning of a turn.
sub left_out {
    my ($self) = @_;
    my @speeds = map { $_ // [] } @{ $self->{speeds} }[ 0 .. $HALF - 1 ];
    return $UNKNOWN * $self->{bin} if @{ $speeds[0] } < $FEW;
    my ($last) = grep { !_is_warm(@{ $speeds[$_] }) } reverse 0 .. $HALF - 1;
    return (defined $last ? $last + 1 : 0) * $self->{bin};
}

sub _is_warm {
    my (@speeds) = @_;
    return 1 if @speeds < $FEW;
    my $middle = median(@speeds);
    my $error  = 1.4826 * 1.2533 * median(map { abs($_ - $middle) } @speeds) / sqrt @speeds;
    return abs($middle) <= max($NEAR, 2 * $error);
}

# What is known: { gap => seconds from the end of a turn to the start of the next, left_out => seconds,
# first => the speed in the first tenth as a part of the later speed }.
sub known {
    my ($self) = @_;
    my @gaps   = @{ $self->{gaps} };
    my $first  = $self->{speeds}[0] || [];
    return {
        left_out => $self->left_out / 1e9,
        @gaps   ? (gap   => median(@gaps) / 1e9) : (),
        @$first ? (first => exp median(@$first)) : ()
    };
}

# A turn as records have it, 'PLACE:WALL:CPU:COUNT:SLEPT', without the first nanoseconds of CPU time. A turn
# that is too coarse for that stays whole.
sub text {
    my ($place, $turn, $left_out) = @_;
    my @looks  = map  { [ split /:/ ] } split / /, $turn->[2];
    my ($from) = grep { $_->[1] >= $left_out } [ 0, 0, 0 ], @looks[ 0 .. $#looks - 1 ];
    $from //= [ 0, 0, 0 ];
    return join ':', $place, (map { $looks[-1][$_] - $from->[$_] } 0 .. 2), $turn->[1];
}

1;
