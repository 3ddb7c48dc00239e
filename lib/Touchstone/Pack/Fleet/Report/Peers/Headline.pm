# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Report::Peers::Headline - where a run stands, in sentences: its place, and what is out of line.
package Touchstone::Pack::Fleet::Report::Peers::Headline;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(list_and_more named plural short);
use Touchstone::Pack::Fleet::Peers::Filter;
use Touchstone::Pack::Fleet::Peers;
use Touchstone::Report::Columns qw(label);

# A sentence names so many tests; a name has so many letters.
my ($TESTS, $LETTERS) = (4, 60);

sub sentences {
    my ($found) = @_;
    my $signature = $found->{signature};
    return (_place($found),
        $found->{verdict} eq $Touchstone::Pack::Fleet::Peers::INCONCLUSIVE ? () : _line($found),
        _others($found), $signature ? ($signature->{text}, "what to do: $signature->{remedy}") : ());
}

sub _place {
    my ($found) = @_;
    my $name = short($found->{run}{called}, $LETTERS);
    return "inconclusive: " . _too_few($found)
        if $found->{verdict} eq $Touchstone::Pack::Fleet::Peers::INCONCLUSIVE;
    my $main = _main_of($found) or return "$name has no index, and these are the places of its tests";
    return "$name is " . _stands($main) . ' (' . label($main) . ')';
}

sub _too_few {
    my ($found) = @_;
    my ($machines, $needed) = ($found->{machines}, $Touchstone::Pack::Fleet::Peers::Filter::FEWEST);
    return 'none of the ' . plural($machines, 'machine') . " like it has a test in $needed records"
        if $found->{enough};
    return join ' ', $machines ? plural($machines, 'machine') : 'no machine',
        "like it in the set ($found->{run}{kind}), and $needed are needed";
}

# The index with the fewest copies; that of the machine comes first.
sub _main_of {
    my ($found) = @_;
    my ($main)  = sort { $a->{copies} <=> $b->{copies} || ($b->{of} <=> $a->{of}) || $a->{key} cmp $b->{key} }
        @{ $found->{indexes} };
    return $main // (@{ $found->{figures} } == 1 ? $found->{figures}[0] : undef);
}

# "slower than 34 of 41 like it: 17th percentile, 8 to 31".
sub _stands {
    my ($place) = @_;
    my ($below, $of) = @$place{qw(below of)};
    my $than = $below * 2 < $of ? 'slower than ' . int($of - $below) : 'faster than ' . int($below);
    return "$than of $of like it: " . ordinal($place->{percentile}) . ' percentile, ' . limits($place);
}

# "17th".
sub ordinal {
    my ($part) = @_;
    my $n      = sprintf '%.0f', 100 * $part;
    my $ending = $n =~ /1[123]\z/ ? 'th' : { 1 => 'st', 2 => 'nd', 3 => 'rd' }->{ $n % 10 } // 'th';
    return "$n$ending";
}

sub limits {
    my ($place) = @_;
    return join ' to ', map { sprintf '%.0f', 100 * $_ } @$place{qw(low high)};
}

sub _line {
    my ($found) = @_;
    my @far     = map { named($_) . ' ' . factor($_->{ratio}) }
        sort { abs(log $b->{ratio}) <=> abs(log $a->{ratio}) || $a->{key} cmp $b->{key} }
        grep { $_->{far} } @{ $found->{figures} };
    return 'out of line: ' . list_and_more($TESTS, @far) . ' times as fast as the middle of the others'
        if @far;
    return 'in line: no test is further from the others than chance explains'
        if $found->{verdict} eq $Touchstone::Pack::Fleet::Peers::IN_LINE;
    my $factor = factor($found->{all}{ratio});
    return "out of line in all tests together: $factor times as fast as the middle";
}

sub factor { my ($ratio) = @_; return sprintf $ratio >= 1.995 ? '%.1f' : '%.2f', $ratio }

# The other indexes, in short.
sub _others {
    my ($found) = @_;
    my $main = _main_of($found);
    return map { label($_) . ': ' . _stands($_) }
        grep { $_ != $main && $_->{name} eq $main->{name} } @{ $found->{indexes} };
}

1;
