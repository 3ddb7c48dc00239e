# SPDX-License-Identifier: GPL-2.0-or-later
# Score::Rate - makes one figure of what the copies of a pass counted: a rate per second or per minute, or,
# where the work is fixed, the seconds of a unit:
#
#   {
#       rate   => 3481930,              of all copies together
#       rates  => [1740000, 1741930],   of each
#       share  => 0.999,                part of the time in which all copies ran; undef where it is unknown
#       skew   => 0.00002,              seconds from the first start to the last; undef where unknown
#       spread => 0.0011,               of the rates, where there are several
#       coarse => 1,                    all copies ended within an operation, and left a warm-up so: none
#                                       could have been nearer
#   }
package Touchstone::Score::Rate;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum min max);

use Touchstone::Base::Direction;
use Touchstone::Stats qw(geometric_mean mean median);

my $SECONDS = $Touchstone::Base::Direction::SECONDS;

# A unit of which no copy did anything counts as so many seconds.
my $ENDLESS = 1e30;

# Copies that started within this part of the time did so together.
my $TOGETHER = 0.05;

# The rates of a pass. Where there are several copies only the common window counts, from the latest start to
# the earliest end.
sub of_pass {
    my ($pass) = @_;
    my %got    = $pass->{unit} eq $SECONDS ? _common_seconds($pass) : _common_rate($pass);
    my @rates  = @{ $got{own} };
    return {
        rate  => $got{rate},
        rates => \@rates,
        skew  => $got{skew},
        share => $got{share},
        @rates > 1   ? (spread => scalar Touchstone::Stats::spread(@rates)) : (),
        $got{coarse} ? (coarse => 1)                                        : ()
    };
}

# Fixed work has the seconds of a unit, of the units that all copies do together. A difference of two times
# that is not above zero has no inverse that could be added up.
sub _common_seconds {
    my ($pass) = @_;
    my $copies = @{ $pass->{counts} };
    my %speed  = _common_rate($pass);
    return (%speed, own => $pass->{counts}, rate => _middle(@{ $pass->{counts} }))
        if ($pass->{seen} // '') eq 'copy';
    return (%speed, own => $pass->{counts}, rate => sum(@{ $pass->{counts} }) / $copies**2)
        if !$pass->{timebase} && grep { $_ <= 0 } @{ $pass->{counts} };
    return (%speed, own => [ map { _inverse($_) } @{ $speed{own} } ], rate => _inverse($speed{rate}));
}

# What a copy sees is that of the copies together where they only watch, each for itself.
sub _middle {
    my (@counts) = @_;
    return (grep { $_ <= 0 } @counts) ? mean(@counts) : geometric_mean(@counts);
}

sub _inverse { my ($speed) = @_; return $speed > 0 ? 1 / $speed : $ENDLESS }

# A pass is invalid when nothing was counted in the time that counts.
sub is_invalid {
    my ($pass, $rates) = @_;
    return $pass->{unit} eq $SECONDS ? $rates->{rate} >= $ENDLESS : $rates->{rate} <= 0;
}

sub _common_rate {
    my ($pass) = @_;
    my @copies = 0 .. $#{ $pass->{counts} };
    my @own    = map  { _own_rate($pass, $_) } @copies;
    my @known  = grep { length($pass->{slices}[$_] // '') && defined $pass->{starts}[$_] } @copies;
    return _of_slices($pass->{common}) if @copies > 1 && !@known && $pass->{common};
    return (rate => sum(@own), share => @copies > 1 ? undef : 1, own => \@own)
        if @copies == 1 || @known < @copies;
    my $origin   = min(@{ $pass->{starts} });
    my @progress = map { _progress($pass, $_, $origin) } @copies;
    my ($first, $last) = (min(map { $_->[0][0] } @progress), max(map { $_->[-1][0] } @progress));
    my ($from, $to)    = (max(map { $_->[0][0] } @progress), min(map { $_->[-1][0] } @progress));
    my $skew = ($from - $first) / 1e9;
    return (rate => _rate_of_all($last - $first, \@own, @progress), share => 0, own => \@own, skew => $skew)
        if $to <= $from;
    my @common = map { $own[$_] * _pace_within($progress[$_], $from, $to) } @copies;
    my $window = $TOGETHER * ($last - $first);
    my $coarse = !grep {
        my $operation = _operation($_);
        $_->[-1][0] - $to > $operation
            || $_->[0][0] - $first >=
            ($pass->{warm} ? max($window, $operation) : $window)
    } @progress;
    return (
        rate  => sum(@common),
        share => ($to - $from) / ($last - $first),
        own   => \@common,
        skew  => $skew,
        $coarse ? (coarse => 1) : ()
    );
}

# Returns what a record may store instead of the slices of a pass, with all digits, or nothing if the copies
# had no time in common.
sub common {
    my ($pass) = @_;
    my %got = _common_rate($pass);
    return if !defined $got{share} || grep { $_ <= 0 } $got{rate}, @{ $got{own} };
    my ($rate, @rates) = map { sprintf '%.17g', $_ } $got{rate}, @{ $got{own} };
    return {
        rate  => $rate,
        rates => \@rates,
        share => sprintf('%.17g', $got{share}),
        skew  => $got{skew} // 0,
        $got{coarse} ? (coarse => 1) : ()
    };
}

sub _of_slices {
    my ($common) = @_;
    return (
        rate  => 0 + $common->{rate},
        own   => [ map { 0 + $_ } @{ $common->{rates} } ],
        share => 0 + $common->{share},
        skew  => $common->{skew},
        $common->{coarse} ? (coarse => 1) : ()
    );
}

# Nanoseconds of an operation of a copy.
sub _operation {
    my ($progress) = @_;
    my ($first, $last) = @$progress[ 0, -1 ];
    return $last->[1] > $first->[1] ? ($last->[0] - $first->[0]) / ($last->[1] - $first->[1]) : 0;
}

# Copies that never ran all together count with what they did from the first start to the last end: their own
# rates would add up to more than the machine can do.
sub _rate_of_all {
    my ($span, $total, @progress) = @_;
    return sum(@$total) if $span <= 0;
    return sum(map { $total->[$_] * ($progress[$_][-1][0] - $progress[$_][0][0]) } 0 .. $#progress) / $span;
}

# Returns the rate that a copy reports. With the time base 0 its count is already a rate, or the seconds of a
# unit.
sub _own_rate {
    my ($pass,  $i)       = @_;
    my ($count, $seconds) = ($pass->{counts}[$i], $pass->{times}[$i]);
    my $is_seconds = $pass->{unit} eq $SECONDS;
    return $is_seconds ? $count == 0 ? 0 : 1 / $count : $count if !$pass->{timebase};
    return $seconds > 0 ? $count / $seconds * ($is_seconds ? 1 : $pass->{timebase}) : 0;
}

# The progress of a copy from its start on, [[ns, count], ...], in time since the first start of all.
sub _progress {
    my ($pass, $i, $origin) = @_;
    my $start = $pass->{starts}[$i] - $origin;
    return [
        [ $start, 0 ],
        map { my ($when, $count) = split /:/; [ $start + $when, $count ] } split / /,
        $pass->{slices}[$i]
    ];
}

# Returns the rate of a copy within a window as a part of its rate in all of its run.
sub _pace_within {
    my ($progress, $from, $to) = @_;
    my ($first, $last) = @$progress[ 0, -1 ];
    return 1 if $last->[0] <= $first->[0];
    my $whole = ($last->[1] - $first->[1]) / ($last->[0] - $first->[0]);
    return 1 if $whole <= 0;
    return (_count_at($progress, $to) - _count_at($progress, $from)) / ($to - $from) / $whole;
}

# Between two slices the count is taken to have grown evenly.
sub _count_at {
    my ($progress, $when) = @_;
    my $before = $progress->[0];
    for my $next (@$progress) {
        if ($next->[0] < $when) { $before = $next; next }
        return $next->[1] if $next->[0] == $before->[0];
        return $before->[1] +
            ($next->[1] - $before->[1]) * ($when - $before->[0]) / ($next->[0] - $before->[0]);
    }
    return $before->[1];
}

# Tells how far apart the copies of a test are in passes with these rates:
#
#   {
#       passes  => 6,
#       middle  => 0.0011,                   the median spread
#       largest => 0.004,                    the largest spread
#       skew    => 0.00002,                  the largest, in seconds
#       share   => 0.999,                    the least
#       unusual => 0,                        1: copies that differ as equal ones with fair turns hardly do
#       parts   => [[0.9993, 1.0007], ...]   a pass each: the speed of each copy as a part of their mean
#   }
#
# A pass in which a copy has no speed has no parts.
#
# Copies are unusual where half of the passes have a spread of $MUCH or more, or some copies had less than
# $LITTLE of a pass in common. Two copies on a machine that others use, too, have spreads of 2 to 8 %.
my ($MUCH, $LITTLE) = (0.25, 0.8);

sub evenness {
    my ($unit, @passes) = @_;
    my @spreads = grep { defined } map { $_->{spread} } @passes;
    my ($skews, $shares) = map {
        my $key = $_;
        [ grep { defined } map { $_->{$key} } @passes ]
    } qw(skew share);
    my ($middle, $share) = (@spreads ? median(@spreads) : undef, min(@$shares));
    return {
        passes  => scalar @passes,
        middle  => $middle,
        largest => max(@spreads),
        skew    => max(@$skews),
        share   => $share,
        unusual => defined $middle && $middle >= $MUCH || defined $share && $share < $LITTLE ? 1 : 0,
        parts   => [ map { _parts($unit, @{ $_->{rates} }) } @passes ],
    };
}

sub _parts {
    my ($unit, @rates) = @_;
    my @speeds = $unit eq $SECONDS ? map { _inverse($_) } @rates : @rates;
    return if grep { $_ < 0 || $_ >= $ENDLESS } @speeds;
    my $mean = mean(@speeds);
    return $mean > 0 ? [ map { $_ / $mean } @speeds ] : ();
}

1;
