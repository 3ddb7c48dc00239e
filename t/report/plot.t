#!/usr/bin/env perl
# Report::Plot: axes and their ticks.
use 5.014;
use strict;
use warnings;
use Test::More tests => 3;
use Touchstone::Report::Plot qw(axis percents ticks);
my $axis = axis(1, 100, 200, 100, log => 10);
is(join(' ', map { $axis->{at}->($_) } -5, 1, 10, 1e9), '200 200 150 100', 'beyond an axis is its end');
is(join(' ', ticks(axis(10, 300, 0, 1, log => 10), 5)), '10 30 100 300',   'round values');
is((grep { $_->[1] eq '0' } percents(axis(-5, 7, 0, 300), 6, 40)) + 0, 1,  '1 is a tick of ratios');
