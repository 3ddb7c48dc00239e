#!/usr/bin/env perl
# Report::Plot: axes, their ticks, and marks beyond an axis.
use 5.014;
use strict;
use warnings;

use Test::More;

use Touchstone::Report::Plot qw(axis percents point reach side ticks);

subtest 'an axis puts its ends at its places, and what is beyond at its ends' => sub {
    for my $case (
        [ 'linear',       axis(0, 10, 100, 200),             5,  150 ],
        [ 'upright',      axis(0, 10, 200, 100),             5,  150 ],
        [ 'logarithmic',  axis(1, 100, 100, 200, log => 10), 10, 150 ],
        [ 'of one value', axis(7, 7, 100, 200),              7,  150 ]
    ) {
        my ($name, $axis, $value, $place) = @$case;
        is($axis->{at}->($value), $place, $name);
    }
    my $axis = axis(1, 100, 100, 200, log => 10);
    is(join(' ', map { $axis->{at}->($_) } -5, 0, 1, 100, 1e9), '100 100 100 200 200', 'ends');
    is(join(' ', map { side($axis, $_) } 0, 1, 100, 101), '-1 0 0 1', 'sides');
};

subtest 'ticks are round values' => sub {
    for my $case (
        [ '0 20 40 60 80 100', axis(0, 100, 0, 1),             5 ],
        [ '10 100 1000 10000', axis(10, 1e4, 0, 1, log => 10), 5 ],
        [ '10 30 100 300',     axis(10, 300, 0, 1, log => 10), 5 ],
        [ '1 2 4 8 16',        axis(1, 16, 0, 1, log => 2),    5 ],
        [ '7',                 axis(7, 7, 0, 1),               5 ]
    ) {
        my ($expected, @of) = @$case;
        is(join(' ', ticks(@of)), $expected, "ticks $expected");
    }
};

subtest 'ticks of ratios are in per cent, 1 is one of them, and their labels do not touch' => sub {
    for my $axis (axis(0.98, 1.02, 0, 300), axis(0.98, 1.02, 0, 300, log => 10), axis(-5, 7, 0, 300)) {
        my @ticks  = percents($axis, 6, 40);
        my @places = map { $axis->{at}->($_->[0]) } @ticks;
        is(scalar(grep { $_->[1] eq '0' } @ticks),                              1, "1 of @ticks[ 0, -1 ]");
        is(scalar(grep { $places[$_] - $places[ $_ - 1 ] < 40 } 1 .. $#places), 0, 'apart');
    }
};

subtest 'a scale reaches as far as its values, without those that are far away' => sub {
    is(reach(12), 0, 'none');
    is(reach(12, 0, 1, 2, 3),    3, 'all');
    is(reach(12, 1, 2, 3, 1000), 3, 'one is far away');
};

subtest 'a value beyond the axis is an arrow' => sub {
    my $axis = axis(0, 10, 0, 100);
    like(point($axis, 5,  20, 'dot', 3), qr/<circle cx="50" cy="20" r="3"/, 'a dot');
    like(point($axis, 11, 20, 'dot', 3), qr/d="M107 20L100 15v10z"/,        'at the right');
    like(point($axis, -1, 20, 'dot', 3), qr/d="M-7 20L0 15v10z"/,           'at the left');
    my $upright = axis(0, 10, 100, 0);
    like(point($upright, 11, 20, 'dot', 3), qr/d="M15 0h10l-5 -7z"/, 'above');
};

done_testing;
