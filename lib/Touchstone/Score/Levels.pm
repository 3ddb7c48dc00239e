# SPDX-License-Identifier: GPL-2.0-or-later
# Score::Levels - the speeds of a test whose passes lie on two levels, the lower one first:
#
#   { value => 11_200, share => 0.88,                      of the passes, and so of the time
#     user, kernel, waiting => 0.8,                        shares of the time of an operation, if known
#     voluntary => 2 }                                     switches of an operation, if known
package Touchstone::Score::Levels;
use 5.014;
use strict;
use warnings;

use List::Util qw(min);

use Touchstone::Base::Time qw(@PARTS);
use Touchstone::Score::Cost;
use Touchstone::Stats::Levels;

# Shares of waiting that differ by less are no reason for two speeds.
my $DIFFERENT = 0.1;

# Processes that wait for each other sleep so many times in an operation.
my $SLEEPS = 0.5;

# Undisturbed passes that have two speeds show them: what slows a pass down is no speed of the test. `clean`
# are their places.
sub of_test {
    my ($result, $passes, @clean) = @_;
    my @rates  = @{ $result->{rates} };
    my @levels = Touchstone::Stats::Levels::find_levels(@rates[@clean]) or return;
    my ($why, @costs) = Touchstone::Score::Cost::of_passes($result, $passes);
    return map {
        my %level  = %$_;
        my $values = delete $level{values};
        my %own    = map  { $_ => 1 } @$values;
        my @places = grep { $own{ $rates[$_] } } @clean;
        +{ %level, defined $why ? () : _cost($result, [ @$passes[@places] ], @costs[@places]) }
    } @levels;
}

sub _cost {
    my ($result, $passes, @costs) = @_;
    my %cost;
    @cost{@PARTS} = Touchstone::Score::Cost::shares(@costs);
    my %switches = Touchstone::Score::Cost::counts($result, $passes, voluntary => 'slept');
    $cost{voluntary} = $switches{voluntary} if defined $switches{voluntary};
    return %cost;
}

# The likely reason of two speeds, or undef.
sub reason {
    my (@levels) = @_;
    return undef if grep { !defined $_->{waiting} } @levels;
    my ($slow, $fast) = sort { $b->{waiting} <=> $a->{waiting} } @levels;
    return 'clock, or a busy thread of the same core' if $slow->{waiting} - $fast->{waiting} < $DIFFERENT;
    return 'processes that wake each other on two CPUs, or take turns on one'
        if min(map { $_->{voluntary} // 0 } @levels) >= $SLEEPS;
    return 'a quota, steal, or other work';
}

1;
