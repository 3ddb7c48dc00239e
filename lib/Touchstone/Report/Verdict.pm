# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Verdict - how reports put a pair of Compare and its tests into words and figures:
#
#   index, 1 copy: faster (+3.1 %, +2.1 % to +4.0 %)
#   faster: pipe (+3.1 %)
package Touchstone::Report::Verdict;
use 5.014;
use strict;
use warnings;

use Touchstone::Compare;
use Touchstone::Report;
use Touchstone::Speed;
use Touchstone::Text;

# What matters most comes first.
sub order { return ($Touchstone::Compare::SLOWER, $Touchstone::Compare::FASTER, $Touchstone::Compare::SAME, $Touchstone::Compare::UNKNOWN) }

# What a person wants to know first. `counted`: how many do not differ, and not which.
sub in_short {
    my ($pair, %with) = @_;
    my %named;
    push @{ $named{ $_->{verdict} } }, $_ for @{ $pair->{tests} };
    my @points = map { _index_line($_) } @{ $pair->{indexes} };
    for my $verdict (order()) {
        my @tests = @{ $named{$verdict} || [] } or next;
        my $detail = $verdict eq $Touchstone::Compare::SLOWER || $verdict eq $Touchstone::Compare::FASTER;
        push @points, "$verdict: " . ($with{counted} && !$detail ? @tests . (@tests == 1 ? ' figure' : ' figures') : join ', ', map { Touchstone::Text::named($_) . ($detail ? ' (' . percent($_->{ratio}) . ')' : '') } @tests);
    }
    return @points ? [ points => @points ] : ();
}

sub _index_line {
    my ($index) = @_;
    my $copies = Touchstone::Text::copies($index->{copies});
    my $interval = $index->{interval} ? ', ' . join ' to ', map { percent($_) } @{ $index->{interval} } : '';
    return "$index->{name}, $copies: $index->{verdict} (" . percent($index->{ratio}) . "$interval)";
}

# "+3.1 %" of a ratio of 1.031.
sub percent {
    my ($ratio) = @_;
    return '---' if !defined $ratio;
    my $text = sprintf '%+.*f %%', abs($ratio - 1) < 0.1 ? 1 : 0, ($ratio - 1) * 100;
    return $text =~ s/^-(0(?:\.0)? %)/+$1/r;
}

# The unit of a test, and both scores in it.
sub scores {
    my ($test) = @_;
    my ($unit, $by) = $test->{unit} eq $Touchstone::Speed::SECONDS ? @{ Touchstone::Report::unit_for($test->{scores}[0]) } : ($test->{unit}, 1);
    my @limits = map { $_ ? [ map { $_ * $by } @$_ ] : undef } @{ $test->{intervals} };
    return ($unit, map { Touchstone::Report::figure($test->{scores}[$_] * $by, $limits[$_]) } 0, 1);
}

# The ratio of both, and its interval.
sub ratio {
    my ($test) = @_;
    my ($ratio, @interval) = ($test->{ratio}, @{ $test->{interval} || [] });
    return (defined $ratio ? Touchstone::Report::figure($ratio, @interval ? \@interval : [ $ratio * 0.99, $ratio * 1.01 ]) : '---',
        @interval ? join(' to ', map { Touchstone::Report::figure($_, \@interval) } @interval) : '---');
}

1;
