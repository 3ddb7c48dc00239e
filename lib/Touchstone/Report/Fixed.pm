# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Fixed - what a unit of fixed work takes of the CPU, and what a part of it takes, as a table for
# Report::Document. Its seconds are those of the results.
#
#   Test                    User   System  Each
#   System Calls 1984    1.20 ms  1.49 ms  264 ns a call (193 ns to 376 ns)
#
# Rates have only a part:
#
#   Test                 Each
#   Memory Latency       102 ns a load (101 ns to 104 ns)
package Touchstone::Report::Fixed;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(seconds);
use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Direction qw(is_lower_better);
use Touchstone::Suite;

our $BELOW = 'below what can be measured';

# The table of a block of the model; nothing when no test of it has such figures.
sub table {
    my ($block) = @_;
    my @shown   = grep { is_lower_better($_) || $_->{each} } @{ $block->{exact} };
    my @tests   = Touchstone::Suite::arranged(sub { $_[0]{name} }, @{ $block->{below} }, @shown);
    my @known   = grep { $_->{below} || $_->{each} || defined $_->{user} || defined $_->{sys} } @tests
        or return;
    my $has_time = grep { is_lower_better($_) } @known;
    my %of_time  = (if => sub { $has_time });
    return {
        caption => ($has_time ? 'CPU time of a unit of work' : 'Time of an operation') . ", $block->{copies}",
        rows    => \@known,
        columns => [
            { title => 'Test',   cell => sub { $_[0]{title} } },
            { title => 'User',   cell => sub { $_[0]{below} ? $BELOW : _time($_[0]{user}) }, %of_time },
            { title => 'System', cell => sub { _time($_[0]{sys}) },                          %of_time },
            { title => 'Each',   cell => sub { each_part($_[0]) // $DASH } }
        ]
    };
}

sub _time { my ($time) = @_; return defined $time ? seconds($time) : $DASH }

# "0.962 ns a call (0.957 ns to 0.969 ns)"; "1.2 us an event"
sub each_part {
    my ($test)   = @_;
    my $each     = $test->{each} or return;
    my $interval = $each->{interval};
    return
          seconds($each->{seconds}, $interval)
        . ($each->{of} =~ /\A[aeio]/ ? ' an ' : ' a ')
        . $each->{of}
        . (
        $interval
        ? ' (' . join(' to ', map { seconds($_, $interval) } @$interval) . ')'
        : ''
        );
}

1;
