# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare::EventSplit - the difference of the CPU time of an operation as instructions, instructions
# per cycle and clock: a clause behind the sentence of a test, and a table on a page.
package Touchstone::Report::Compare::EventSplit;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(three_digits);
use Touchstone::Base::Symbols qw($TIMES);
use Touchstone::Base::Text qw(list_and_more named);
use Touchstone::Compare::EventSplit;
use Touchstone::Report::Compare::Tables;

my %SAME = (instructions => 'same instructions', per_cycle => 'same work per cycle', clock => 'same clock');

my %TITLE = (instructions => 'Instructions', per_cycle => 'Instructions per cycle', clock => 'Clock');

# The most names in a sentence.
my $NAMED = 5;

# This share of the difference of the CPU time is all of it.
my $ALL = 0.9;

# ", at 1.34 times the instructions" or ": same instructions, same work per cycle, clock 9 % lower", behind a
# sentence about user and kernel time; nothing if no part is certain.
sub clause {
    my ($test, $sentence) = @_;
    my $events = $test->{split}{events} || {};
    my @named  = @{ $events->{named} || [] };
    return '' if !@named || !grep { $_ ne 'waiting' } @{ $test->{split}{named} };
    my $is_whole = $sentence =~ /, all of it /;
    my $share    = $events->{log} ? $events->{parts}{instructions}{log} / $events->{log} : 0;
    return ', at ' . _phrase($events, 'instructions')
        if $is_whole && "@named" eq 'instructions' && $share >= $ALL;
    my %is = map { $_ => 1 } @named, @{ $events->{same} };
    return ($is_whole ? ': ' : '; ') . join ', ',
        map { _phrase($events, $_) } grep { $is{$_} } @Touchstone::Compare::EventSplit::PARTS;
}

sub _phrase {
    my ($events, $part) = @_;
    return $SAME{$part} if !grep { $_ eq $part } @{ $events->{named} };
    my $log = $events->{parts}{$part}{log};
    return three_digits(exp $log) . ' times the instructions' if $part eq 'instructions';
    my $percent = sprintf '%.0f %%', 100 * abs(exp(-$log) - 1);
    return $part eq 'clock'
        ? "clock $percent " . ($log > 0 ? 'lower' : 'higher')
        : "$percent " . ($log > 0 ? 'less' : 'more') . ' work per cycle';
}

# The table of the tests that have such parts, or nothing.
sub tables {
    my (@tests) = @_;
    my @known   = grep { ($_->{split}{events} || {})->{parts} } @tests or return;
    my @columns = map {
        my $part = $_;
        { title => $TITLE{$part}, cell => sub { _cell($_[0]{split}{events}{parts}{$part}, $part) } }
    } @Touchstone::Compare::EventSplit::PARTS;
    return [
        table => {
            caption => 'Parts of the differences of the CPU time, as ratios (95 % interval)',
            columns => [
                Touchstone::Report::Compare::Tables::test_columns(),
                { title => 'Copies', cell => sub { $_[0]{copies} } },
                {
                    title => 'CPU time',
                    cell  => sub { three_digits(exp $_[0]{split}{events}{log}) . " $TIMES" }
                },
                @columns
            ],
            rows => \@known
        }
    ];
}

sub _cell {
    my ($match, $part) = @_;
    my $sign = $part eq 'instructions' ? 1 : -1;
    my ($ratio, @limits) = map { exp($sign * $_) } $match->{log}, @{ $match->{interval} };
    return
          three_digits($ratio)
        . " $TIMES ("
        . join(' to ', map { three_digits($_) } sort { $a <=> $b } @limits) . ')';
}

# Why tests have no such parts though one of the runs counted events.
sub missing {
    my (@tests) = @_;
    my %names;
    push @{ $names{ $_->{split}{events}{why} } }, named($_)
        for grep { defined(($_->{split}{events} || {})->{why}) } @tests;
    return map {
        [ text => 'No instructions and cycles of ' . list_and_more($NAMED, @{ $names{$_} }) . ": $_." ]
        }
        sort keys %names;
}

1;
