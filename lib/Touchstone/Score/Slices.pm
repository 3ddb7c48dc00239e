# SPDX-License-Identifier: GPL-2.0-or-later
# Score::Slices - what all copies of a pass did together in each part of the time in which all of them ran. A
# copy tells 'nanoseconds:count:microseconds of CPU time ...', each from its start on; older programs tell no
# CPU time. The parts of a pass are
#
#   [ [nanoseconds, count, nanoseconds of CPU time], ... ]
#
# with undef for CPU time that is unknown.
package Touchstone::Score::Slices;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

use Touchstone::Stats qw(mean median);

# A part is no shorter: shorter windows must not look less even than long ones.
my $SHORTEST = 7.5e6;

# The last slice of a run joins the one before it when it is shorter than this part of it.
my $WHOLE = 0.5;
my ($US, $NS) = (1000, 1e9);

# The parts of a pass, or nothing where a copy told no slices.
sub parts {
    my ($pass) = @_;
    my @points;
    for my $i (0 .. $#{ $pass->{counts} }) {
        my $text = $pass->{slices}[$i];
        return if !defined $pass->{starts}[$i] || !length($text // '');
        push @points, _points($text) || return;
    }
    return @points == 1 ? _joined(@points) : _together($pass->{starts}, \@points);
}

# The part of its slices that a pass took for its result: some programs time only what they measure.
sub own_time {
    my ($pass) = @_;
    my @parts = map {
        my ($last) = _last($pass, $_);
        $last ? $pass->{times}[$_] * $NS / $last : ()
    } 0 .. $#{ $pass->{times} };
    return @parts ? mean(@parts) : 1;
}

# The CPU time of all copies without that of their children, or undef.
sub cpu_seconds {
    my ($pass) = @_;
    my @spent = map { (_last($pass, $_))[2] } 0 .. $#{ $pass->{counts} };
    return (grep { !defined } @spent) ? undef : sum(@spent) * $US / $NS;
}

sub _last {
    my ($pass, $i) = @_;
    return split /:/, ($pass->{slices}[$i] // '') =~ s/.* //sr;
}

# [[ns], [counts], [us of CPU time] or undef] of a copy from its start on. There can be thousands of passes of
# a hundred slices, so these are columns.
sub _points {
    my ($text)   = @_;
    my @fields   = split /[: ]/, $text;
    my $slices   = 1 + $text =~ tr/ //;
    my $has_time = @fields == 3 * $slices;
    return if !$has_time && @fields != 2 * $slices;
    my $width   = $has_time ? 3 : 2;
    my @columns = map {
        my $column = $_;
        [ 0, @fields[ map { $_ * $width + $column } 0 .. $slices - 1 ] ]
    } 0 .. $width - 1;
    return \@columns;
}

# The parts of one copy. Slices that are too short are joined.
sub _joined {
    my ($when, $count, $cpu) = @{ $_[0] };
    my ($from, @ends) = (0);
    for my $i (1 .. $#$when) {
        next if $when->[$i] - $when->[$from] < $SHORTEST && $i < $#$when;
        push @ends, $i;
        $from = $i;
    }
    splice @ends, -2, 1
        if @ends > 1
        && $when->[ $ends[-1] ] - $when->[ $ends[-2] ] < max($SHORTEST, $WHOLE * $when->[ $ends[0] ]);
    $from = 0;
    return [
        grep { $_->[0] > 0 }
            map {
            my ($first, $last) = ($from, $_);
            $from = $_;
            [
                $when->[$last] - $when->[$first],
                $count->[$last] - $count->[$first],
                $cpu ? ($cpu->[$last] - $cpu->[$first]) * $US : undef
            ]
            } @ends
    ];
}

# Cuts the time that copies have in common into as many parts as a copy has slices. Single copies come in
# bursts where there are more of them than CPUs, so only their sum means something.
sub _together {
    my ($starts, $points) = @_;
    my $origin = min(@$starts);
    my @offset = map { $_ - $origin } @$starts;
    my ($from, $to) = (max(@offset), min(map { $offset[$_] + $points->[$_][0][-1] } 0 .. $#offset));
    return if $to <= $from;
    my $many  = int max(1, min(median(map { $#{ $_->[0] } } @$points), ($to - $from) / $SHORTEST));
    my @edges = map   { $from + ($to - $from) * $_ / $many } 0 .. $many;
    my $timed = !grep { !$_->[2] } @$points;
    my @sums  = map   { [ (0) x @edges ] } 1 .. ($timed ? 2 : 1);
    for my $copy (0 .. $#offset) { _add_copy(\@sums, \@edges, $points->[$copy], $offset[$copy]) }
    return [
        map {
            my $i = $_;
            [
                ($to - $from) / $many,
                $sums[0][$i] - $sums[0][ $i - 1 ],
                $timed ? ($sums[1][$i] - $sums[1][ $i - 1 ]) * $US : undef
            ]
        } 1 .. $many
    ];
}

# Adds what a copy had done at each of these times; between two slices it is taken to work evenly.
sub _add_copy {
    my ($sums, $edges, $points, $offset) = @_;
    my ($when, @done) = @$points;
    my $next = 1;
    for my $i (0 .. $#$edges) {
        my $time = $edges->[$i] - $offset;
        $next++ while $next < $#$when && $when->[$next] < $time;
        my $length = $when->[$next] - $when->[ $next - 1 ];
        my $part   = $length > 0 ? ($time - $when->[ $next - 1 ]) / $length : 1;
        for my $what (0 .. $#$sums) {
            my ($low, $high) = @{ $done[$what] }[ $next - 1, $next ];
            $sums->[$what][$i] += $low + ($high - $low) * $part;
        }
    }
    return;
}

1;
