# SPDX-License-Identifier: GPL-2.0-or-later
# Score::Measures - what the passes of a test found out in addition to its score: figures with units, and
# the slowest operations.
#
#   (
#       figures  => { lost => 3, decompress => 4170.5 },    medians, of all copies together
#       measures => [
#           {
#               name   => 'decompress',
#               unit   => 'MBps',
#               better => 'higher',
#               score, interval, precision, error, cv, outliers, rates, passes
#           }
#       ],
#       how      => 'futex',                       the means by which the work was done
#       missing  => [ { name => 'caa10text', why => 'no such font' } ]    parts that could not be done
#   )
#
# Each is there only where there are some. A measure is a figure with a unit, and has a score by the rule of
# its test; but with the unit `each` a figure is what every copy has, such as a size.
package Touchstone::Score::Measures;
use 5.014;
use strict;
use warnings;

use List::Util qw(max sum);

use Touchstone::Base::Direction;
use Touchstone::Stats qw(geometric_mean interval mean median);

my $EACH = 'each';

# `rule` is one of Score's. A pass may be `disturbed`.
sub of_passes {
    my ($rule, @passes) = @_;
    my (%of, %unit, %missing, %how);
    for my $pass (@passes) {
        my @copies = @{ $pass->{figures} || [] };
        my %each;
        for my $copy (@copies) { push @{ $each{$_} }, $copy->{$_} for keys %$copy }
        %unit = (%unit, %{ $pass->{units} || {} });

        # The sum of some copies is not that of all.
        delete @each{ grep { $unit{$_} && @{ $each{$_} } < @copies } keys %each };
        push @{ $of{$_} },
            { rate => _together($unit{$_}, @{ $each{$_} }), map { $_ => $pass->{$_} } qw(disturbed lost) }
            for keys %each;
        %missing = (%missing, %{ $pass->{missing} || {} });
        $how{ $pass->{how} } = 1 if defined $pass->{how};
    }
    my @measures =
        map { _measure($rule, $_, $unit{$_}, @{ $of{$_} }) }
        grep { $of{$_} && $unit{$_} ne $EACH } sort keys %unit;
    return (
        %of       ? (figures  => { map { $_ => _middle(@{ $of{$_} }) } keys %of })                    : (),
        @measures ? (measures => \@measures)                                                          : (),
        %how      ? (how      => join ', ', sort keys %how)                                           : (),
        %missing  ? (missing  => [ map { +{ name => $_, why => $missing{$_} } } sort keys %missing ]) : (),
    );
}

# Times are those that a copy sees.
sub _together {
    my ($unit, @copies) = @_;
    return ($unit // '') eq $Touchstone::Base::Direction::SECONDS || ($unit // '') eq $EACH
        ? mean(@copies)
        : sum(@copies);
}

sub _middle {
    return median(map { $_->{rate} } @_);
}

sub _measure {
    my ($rule, $name, $unit, @rates) = @_;
    my $better = $unit eq $Touchstone::Base::Direction::SECONDS ? 'lower' : 'higher';
    my ($score) = $rule->(map { +{ %$_, count => $_->{rate}, better => $better } } @rates);
    return {
        name   => $name,
        unit   => $unit,
        better => $better,
        rates  => [ map { $_->{rate} } @rates ],
        passes => scalar @rates,
        %$score
    };
}

# The slowest operations of a test:
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
sub tail_of_passes {
    my ($passes, @rates) = @_;
    my %of = map {
        my $name = $_->[0];
        $name => [ map { _of_copies($_, $name) } @$passes ]
    } @SHARES;
    $of{$SCORED} = \@rates
        if !@{ $of{$SCORED} } && $passes->[0]{unit} eq $Touchstone::Base::Direction::SECONDS;
    return undef if !@{ $of{$MIDDLE} } || !@{ $of{$SCORED} } || grep { $_ <= 0 } map { @$_ } values %of;
    my @worst   = map { _figures_named($_, $WORST) } @$passes;
    my @samples = map { _figures_named($_, $SAMPLES) } @$passes;
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
sub _figures_named {
    my ($pass, $name) = @_;
    return grep { defined } map { $_->{$name} } @{ $pass->{figures} || [] };
}

# Copies only watch, each for itself: their middle is that of the pass. A pass of which one said nothing has
# none.
sub _of_copies {
    my ($pass, $name) = @_;
    my @values = _figures_named($pass, $name);
    return if !@values || @values < @{ $pass->{figures} };
    return (grep { $_ <= 0 } @values) ? mean(@values) : geometric_mean(@values);
}

1;
