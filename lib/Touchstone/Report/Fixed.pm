# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Fixed - what a unit of fixed work takes, as a table for Report::Page:
#
#   Test                 Real     95 % interval    User   System   Each
#   Function Calls 1984  48.1 us  47.9 us to 48.4 us  ---  ---     0.962 ns a call (0.957 to 0.969)
package Touchstone::Report::Fixed;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(seconds);
use Touchstone::Base::Speed qw(is_lower_better);

our $BELOW = 'below what can be measured';

# The table of a block of the model; nothing when no test of it is of fixed work.
sub table {
    my ($block) = @_;
    my @tests   = sort { $a->{title} cmp $b->{title} } @{ $block->{below} },
        grep { is_lower_better($_) } @{ $block->{exact} };
    return if !@tests;
    return {
        caption => "A unit of work, $block->{copies}",
        head    => [ 'Test', 'Real', '95 % interval', 'User', 'System', 'Each' ],
        rows    => [ map { [ $_->{title}, _cells($_) ] } @tests ]
    };
}

sub _cells {
    my ($test) = @_;
    return ($BELOW, ('---') x 4) if $test->{below};
    my $interval = $test->{interval};
    return (
        seconds($test->{score}, $interval),
        $interval
        ? join(' to ', map { seconds($_, $interval) } @$interval)
        : 'n too small',
        (map { defined $_ ? seconds($_) : '---' } @$test{qw(user sys)}),
        each_part($test) // '---',
    );
}

# "0.962 ns a call (0.957 ns to 0.969 ns)"
sub each_part {
    my ($test)   = @_;
    my $each     = $test->{each} or return;
    my $interval = $each->{interval};
    return
          seconds($each->{seconds}, $interval)
        . " a $each->{of}"
        . (
        $interval
        ? ' (' . join(' to ', map { seconds($_, $interval) } @$interval) . ')'
        : ''
        );
}

1;
