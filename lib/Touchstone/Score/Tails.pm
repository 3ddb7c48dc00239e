# SPDX-License-Identifier: GPL-2.0-or-later
# Score::Tails - how slow the slowest operations of a test were:
#
#   {
#       points  => [ [0.5, 0.0000103, [0.0000101, 0.0000106]], [0.9, ...], [0.99, ...], [0.999, ...] ],
#       worst   => 0.0013,      the greatest of all passes
#       samples => 19800,       all operations that were timed; undef where it is unknown
#       seconds => 6.0,         time of all passes
#       passes  => 6
#   }
#
# A point is a share of the operations, and the median over the passes of the seconds within which these were
# done, with the interval of the order of the passes; undef below six passes. The quantiles of a pass are not
# put together: lateness comes in bursts, and an interval that takes each operation for an independent one
# would be far too narrow (t/bench/tails.pl). The worst has no interval, and p99.9 of a pass rests on few
# operations: both are shown and never scored.
package Touchstone::Score::Tails;
use 5.014;
use strict;
use warnings;

use List::Util qw(max sum);

use Touchstone::Base::Speed;
use Touchstone::Stats qw(geometric_mean interval mean median);

# The figures of programs, and the shares that they stand for.
my @SHARES = ([ p50 => 0.5 ], [ p90 => 0.9 ], [ p99 => 0.99 ], [ 'p99.9' => 0.999 ]);
my ($WORST, $SAMPLES) = ('max', 'samples');

# These are the points of the score, and the first of a curve.
my ($MIDDLE, $SCORED) = ('p50', 'p99');

my %IS_TAIL = map { $_ => 1 } $WORST, map { $_->[0] } @SHARES;

# Whether a figure of this name is part of a tail and of nothing else: of several quantiles of the same times
# comparisons judge the p99 alone, once.
sub is_only_shown {
    my ($name, $is_score) = @_;
    return $IS_TAIL{$name} && ($is_score || $name ne $SCORED) ? 1 : 0;
}

# The tail of a test, or undef where its passes say too little. `rates`: the figures of the passes, of which
# the score is made.
sub of_passes {
    my ($passes, @rates) = @_;
    my %of = map {
        my $name = $_->[0];
        $name => [ map { _of_copies($_, $name) } @$passes ]
    } @SHARES;
    $of{$SCORED} = \@rates
        if !@{ $of{$SCORED} } && $passes->[0]{unit} eq $Touchstone::Base::Speed::SECONDS;
    return undef if !@{ $of{$MIDDLE} } || !@{ $of{$SCORED} } || grep { $_ <= 0 } map { @$_ } values %of;
    my @worst   = map { _figures($_, $WORST) } @$passes;
    my @samples = map { _figures($_, $SAMPLES) } @$passes;
    return {
        points  => [ map { _point($_->[1], @{ $of{ $_->[0] } }) } grep { @{ $of{ $_->[0] } } } @SHARES ],
        worst   => @worst   ? max(@worst)   : undef,
        samples => @samples ? sum(@samples) : undef,
        seconds => sum(map { mean(@{ $_->{times} }) } @$passes),
        passes  => scalar @$passes
    };
}

sub _point {
    my ($share, @values) = @_;
    my @limits = interval(\@values);
    return [ $share, median(@values), @limits ? \@limits : undef ];
}

# What the copies of a pass said of this figure.
sub _figures {
    my ($pass, $name) = @_;
    return grep { defined } map { $_->{$name} } @{ $pass->{figures} || [] };
}

# Copies only watch, each for itself: their middle is that of the pass. A pass of which one said nothing has
# none.
sub _of_copies {
    my ($pass, $name) = @_;
    my @said = _figures($pass, $name);
    return if !@said || @said < @{ $pass->{figures} };
    return (grep { $_ <= 0 } @said) ? mean(@said) : geometric_mean(@said);
}

1;
